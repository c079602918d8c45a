// Codex (`codex exec --json`): one event per line. The last message of the agent is the answer. Its numbers are totals of
// the thread.
import { count, type Fields, objectLines, record, reported, string } from './json-output.ts';
import { flag, type Preset, type PresetOutput, type Printed, unless } from './preset.ts';

const SANDBOX_FLAGS = [
  '-s',
  '--sandbox',
  '--approve-for-me',
  '--full-auto',
  '--dangerously-bypass-approvals-and-sandbox',
  '--yolo',
];

export const CODEX: Preset = {
  name: 'codex',
  command: 'codex',
  install: 'npm i -g @openai/codex',
  args: ({ session, cwd, inGit, model, mode, extra }) => [
    'exec',
    '--json',
    ...(inGit ? [] : unless(extra, ['--skip-git-repo-check'], '--skip-git-repo-check')),
    ...unless(extra, ['-C', '--cd'], '-C', cwd),
    ...(mode === undefined ? unless(extra, SANDBOX_FLAGS, '--sandbox', 'read-only') : ['--sandbox', mode]),
    ...flag('--model', model),
    ...extra,
    ...(session === undefined ? [] : ['resume', session]),
    '-',
  ],
  read,
  totals: { tokens: true, cost: false },
  lost: /no rollout found for thread/,
  mode: '--sandbox: read-only (default), workspace-write or danger-full-access',
};

function read({ stdout }: Printed): PresetOutput {
  const events = objectLines(stdout);
  const failed = events.find(({ type }) => type === 'turn.failed');
  const done = events.findLast(({ type }) => type === 'turn.completed');
  const error = failed === undefined ? undefined : messageOf(record(failed['error']));
  return {
    text: error === undefined ? (lastMessage(events) ?? '') : '',
    session: string(events.find(({ type }) => type === 'thread.started')?.['thread_id']),
    usage: usageOf(record(done?.['usage'])),
    // Without `turn.completed` it has not ended well, whatever it printed.
    error:
      error ??
      (done === undefined ? messageOf(events.findLast(({ type }) => type === 'error') ?? {}) : undefined),
  };
}

function lastMessage(events: readonly Fields[]): string | undefined {
  const items = events.filter(({ type }) => type === 'item.completed').map(({ item }) => record(item));
  return string(items.findLast(({ type }) => type === 'agent_message')?.['text']);
}

function messageOf(error: Fields): string {
  return string(error['message']) ?? 'it ended in the middle of the turn';
}

function usageOf(usage: Fields): PresetOutput['usage'] {
  const cached = count(usage['cached_input_tokens']);
  return reported(count(usage['input_tokens']), count(usage['output_tokens']), { cached });
}
