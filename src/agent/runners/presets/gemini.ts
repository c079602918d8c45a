// Gemini CLI (`--output-format json`): one object, and its errors as one on standard error.
import { count, record, reported, string, wholeJson } from './json-output.ts';
import { flag, type Preset, type PresetOutput, type Printed } from './preset.ts';

export const GEMINI: Preset = {
  name: 'gemini',
  command: 'gemini',
  install: 'npm i -g @google/gemini-cli',
  args: ({ session, model, mode, extra }) => [
    '--output-format',
    'json',
    ...flag('--resume', session),
    ...flag('--model', model),
    ...flag('--approval-mode', mode),
    ...extra,
  ],
  read,
  totals: { tokens: false, cost: false },
  lost: /Error resuming session|No previous sessions found|Invalid session identifier/,
  mode: '--approval-mode, such as plan or auto_edit',
};

function read({ stdout, stderr }: Printed): PresetOutput {
  const printed = record(wholeJson(stdout));
  const error = record(printed['error'] ?? record(wholeJson(stderr))['error']);
  let [input, output, cached] = [0, 0, 0];
  const models = Object.entries(record(record(printed['stats'])['models']));
  for (const [, model] of models) {
    const tokens = record(record(model)['tokens']);
    input += count(tokens['prompt'] ?? tokens['input']);
    output += count(tokens['candidates']) + count(tokens['thoughts']);
    cached += count(tokens['cached']);
  }
  const failed = string(error['message']);
  return {
    text: failed === undefined ? (string(printed['response']) ?? '') : '',
    session: string(printed['session_id']),
    usage: reported(input, output, { cached, model: models.length === 1 ? models[0]?.[0] : undefined }),
    error:
      failed ?? (printed['response'] === undefined ? stderr.trim() || 'it printed no result' : undefined),
  };
}
