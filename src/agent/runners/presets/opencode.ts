// opencode (`opencode run --format json`): one event per line. What it says after its last tool is the answer.
import { count, type Fields, objectLines, record, reported, string } from './json-output.ts';
import { flag, type Preset, type PresetOutput, type Printed, unless } from './preset.ts';

export const OPENCODE: Preset = {
  name: 'opencode',
  command: 'opencode',
  install: 'npm i -g opencode-ai',
  args: ({ session, model, mode, extra }) => [
    'run',
    ...unless(extra, ['--format'], '--format', 'json'),
    ...flag('--session', session),
    ...flag('--model', model),
    ...flag('--agent', mode),
    ...extra,
  ],
  read,
  totals: { tokens: false, cost: false },
  lost: /Session not found|NotFoundError/,
  mode: '--agent, such as plan, which changes nothing',
  unasked:
    'edits files and runs commands without asking, unless its own configuration ("permission") denies it',
};

function read({ stdout }: Printed): PresetOutput {
  const events = objectLines(stdout);
  let said: string[] = [];
  let [input, output, cached, costUsd] = [0, 0, 0, 0];
  for (const event of events) {
    const part = record(event['part']);
    if (event['type'] === 'text') said.push(string(part['text']) ?? '');
    if (event['type'] === 'tool_use') said = [];
    if (event['type'] !== 'step_finish') continue;
    const tokens = record(part['tokens']);
    const cache = record(tokens['cache']);
    input += count(tokens['input']) + count(cache['read']) + count(cache['write']);
    output += count(tokens['output']) + count(tokens['reasoning']);
    cached += count(cache['read']);
    costUsd += count(part['cost']);
  }
  const error = events.findLast(({ type }) => type === 'error');
  return {
    text: error === undefined ? said.join('\n\n') : '',
    session: string(events.find(({ sessionID }) => sessionID !== undefined)?.['sessionID']),
    usage: reported(input, output, { cached, costUsd }),
    ...(error === undefined ? {} : { error: messageOf(record(error['error'])) }),
  };
}

function messageOf(error: Fields): string {
  return (
    string(record(error['data'])['message']) ??
    string(error['message']) ??
    string(error['name']) ??
    'it failed'
  );
}
