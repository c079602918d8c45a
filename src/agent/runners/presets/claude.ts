// Claude Code (`claude -p`) and Qwen Code, which prints the same results as a list.
import { count, list, record, reported, string, wholeJson } from './json-output.ts';
import {
  flag,
  type PermissionServer,
  type Preset,
  type PresetOutput,
  type Printed,
  unless,
} from './preset.ts';

export const CLAUDE: Preset = {
  name: 'claude',
  command: 'claude',
  install: 'npm i -g @anthropic-ai/claude-code',
  args: ({ session, model, mode, extra, permission }) => [
    '-p',
    '--output-format',
    'json',
    ...flag('--resume', session),
    ...flag('--model', model),
    ...flag('--permission-mode', mode),
    ...(permission === undefined ? [] : unless(extra, DECIDES, ...asking(permission))),
    ...extra,
  ],
  read: (printed) => resultOf(printed, { cachedBeside: true }),
  totals: { tokens: false, cost: true },
  lost: /No conversation found with session ID/,
  mode: '--permission-mode, such as plan or acceptEdits',
  asks: true,
};

/** Arguments that say otherwise who decides. */
const DECIDES = ['--permission-prompt-tool', '--permission-prompts', '--dangerously-skip-permissions'];

/** `--mcp-config` takes every word up to the next flag, so that flag stands right after it. */
function asking({ command, args }: PermissionServer): string[] {
  const config = JSON.stringify({ mcpServers: { earshot: { command, args } } });
  return ['--mcp-config', config, '--permission-prompt-tool', 'mcp__earshot__chat_ask_permission'];
}

export const QWEN: Preset = {
  name: 'qwen',
  command: 'qwen',
  install: 'npm i -g @qwen-code/qwen-code',
  args: ({ session, model, mode, extra }) => [
    '--output-format',
    'json',
    ...flag('--resume', session),
    ...flag('--model', model),
    // Left to itself it runs in the mode auto, in which a model decides what may be run.
    ...(mode === undefined
      ? unless(extra, ['--approval-mode', '-y', '--yolo'], '--approval-mode', 'default')
      : ['--approval-mode', mode]),
    ...extra,
  ],
  read: (printed) => resultOf(printed, { cachedBeside: false }),
  totals: { tokens: false, cost: false },
  lost: /No saved session found/,
  mode: '--approval-mode, such as plan or auto-edit; default unless given',
};

function resultOf({ stdout, stderr }: Printed, { cachedBeside }: { cachedBeside: boolean }): PresetOutput {
  const printed = wholeJson(stdout);
  const results = (Array.isArray(printed) ? list(printed) : [printed]).map(record);
  const result = results.find(({ type }) => type === 'result');
  if (result === undefined) return { text: '', error: stderr.trim() === '' ? stdout : stderr };
  const said = string(result['result']) ?? '';
  const usage = record(result['usage']);
  const cached = count(usage['cache_read_input_tokens']);
  const written = count(usage['cache_creation_input_tokens']);
  const input = count(usage['input_tokens']) + (cachedBeside ? cached + written : 0);
  const models = Object.keys(record(result['modelUsage']));
  const failed = result['is_error'] === true;
  return {
    text: failed ? '' : said,
    session: string(result['session_id']),
    usage: reported(input, count(usage['output_tokens']), {
      cached,
      costUsd: count(result['total_cost_usd']),
      model: models.length === 1 ? models[0] : undefined,
    }),
    ...(failed ? { error: (string(record(result['error'])['message']) ?? said) || 'it failed' } : {}),
  };
}
