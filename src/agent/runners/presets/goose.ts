// goose (`goose run -i - --output-format json`): one object with all messages. A session has a name that we give.
import { count, list, record, reported, string, wholeJson } from './json-output.ts';
import { flag, type Preset, type PresetOutput, type Printed } from './preset.ts';

export const GOOSE: Preset = {
  name: 'goose',
  command: 'goose',
  install: 'see https://block.github.io/goose for its installer',
  args: ({ session, newSession, model, extra }) => [
    'run',
    '--instructions',
    '-',
    '--quiet',
    '--output-format',
    'json',
    '--name',
    session ?? newSession,
    ...(session === undefined ? [] : ['--resume']),
    ...flag('--model', model),
    ...extra,
  ],
  read,
  namesSessions: true,
  totals: { tokens: true, cost: false },
  lost: /no session found|session .*not found/i,
  unasked:
    'runs commands without asking in its mode "auto", which is its default: GOOSE_MODE=approve or chat changes that',
};

function read({ stdout, stderr }: Printed): PresetOutput {
  const printed = record(wholeJson(stdout));
  const messages = list(printed['messages']).map(record);
  if (messages.length === 0) return { text: '', error: stderr.trim() || 'it printed no result' };
  const last = messages.findLast(({ role }) => role === 'assistant') ?? {};
  const meta = record(printed['metadata']);
  const text = list(last['content'])
    .map(record)
    .map((part) => (part['type'] === 'text' ? (string(part['text']) ?? '') : ''))
    .filter((part) => part !== '')
    .join('\n\n');
  return {
    text,
    usage: reported(count(meta['input_tokens']), count(meta['output_tokens'])),
  };
}
