// pi (`pi -p --mode json`): one event per line, the whole run in the last. It ends with 0 after an error too.
import { count, type Fields, list, objectLines, record, reported, string } from './json-output.ts';
import { flag, type Preset, type PresetOutput, type Printed } from './preset.ts';

export const PI: Preset = {
  name: 'pi',
  command: 'pi',
  install: 'npm i -g @mariozechner/pi-coding-agent',
  args: ({ session, model, extra }) => [
    '-p',
    '--mode',
    'json',
    ...flag('--session', session),
    ...flag('--model', model),
    ...extra,
  ],
  read,
  totals: { tokens: false, cost: false },
  lost: /No session found matching/,
  unasked:
    'edits files and runs commands without asking anybody; "-- --tools read,grep,find,ls" keeps it to reading',
};

function read({ stdout, stderr }: Printed): PresetOutput {
  const events = objectLines(stdout);
  const end = events.findLast(({ type }) => type === 'agent_end');
  const session = string(events.find(({ type }) => type === 'session')?.['id']);
  if (end === undefined)
    return { text: '', session, error: stderr.trim() || 'it ended in the middle of the turn' };
  const own = list(end['messages'])
    .map(record)
    .filter(({ role }) => role === 'assistant');
  let [input, output, cached, costUsd] = [0, 0, 0, 0];
  for (const message of own) {
    const usage = record(message['usage']);
    input += count(usage['input']) + count(usage['cacheRead']) + count(usage['cacheWrite']);
    output += count(usage['output']);
    cached += count(usage['cacheRead']);
    costUsd += count(record(usage['cost'])['total']);
  }
  const last = own.at(-1) ?? {};
  const failed = last['stopReason'] === 'error' || last['stopReason'] === 'aborted';
  return {
    text: failed ? '' : textOf(last),
    session,
    usage: reported(input, output, { cached, costUsd, model: string(last['model']) }),
    ...(failed ? { error: string(last['errorMessage']) ?? 'it failed' } : {}),
  };
}

function textOf(message: Fields): string {
  return list(message['content'])
    .map(record)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => string(text) ?? '')
    .join('\n\n');
}
