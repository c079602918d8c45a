// A program that prints what the named one was seen to print (Claude Code 2.1, Codex 0.169, Gemini CLI, opencode, goose,
// Qwen Code 0.24, pi). It is put on the PATH under that name. Its answer says how it was called; `!word` in the prompt
// makes it fail in the program's own way. Sessions are files, so that it knows which of them it has.
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name = '', folder = '', ...args] = process.argv.slice(2);
const prompt = readFileSync(0, 'utf8');
appendFileSync(join(folder, 'calls'), `${JSON.stringify({ args, cwd: process.cwd() })}\n`);

const after = (...flags: string[]): string | undefined => {
  const at = args.findIndex((word) => flags.includes(word));
  return at < 0 ? undefined : args[at + 1];
};
const kept = (id: string): string => join(folder, `session-${id}`);
const message = prompt.slice(prompt.lastIndexOf('\nMESSAGE'));
const deed = /!(\w+)/.exec(message)?.[1];

/** The session it goes on with or begins. Exits when it is asked for one that it has not. */
function session(asked: string | undefined, lost: (id: string) => string, own?: string): string {
  if (asked !== undefined && !existsSync(kept(asked))) {
    console.error(lost(asked));
    process.exit(1);
  }
  const id = asked ?? own ?? `${name}-${readdirSync(folder).length}`;
  const turns = existsSync(kept(id)) ? readFileSync(kept(id), 'utf8').length : 0;
  writeFileSync(kept(id), '.'.repeat(turns + 1));
  return id;
}

const turnsOf = (id: string): number => readFileSync(kept(id), 'utf8').length;
const rules = prompt.includes('C2A RESPONSE RULES') ? 'rules' : 'no rules';
const said = (id: string): string =>
  deed === 'silent' ? 'NO_REPLY' : `It is green. (turn ${turnsOf(id)} of ${id}, ${rules})`;
const print = (...values: unknown[]): void => {
  for (const value of values) process.stdout.write(`${JSON.stringify(value)}\n`);
};
const AWAY = '401 the provider is away';

const PROGRAMS: Readonly<Record<string, () => void>> = {
  claude() {
    if (deed === 'login') {
      process.stdout.write('Not logged in · Please run /login\n');
      process.exit(1);
    }
    const id = session(after('--resume'), (one) => `No conversation found with session ID: ${one}`);
    const failed = deed === 'fails';
    print({
      type: 'result',
      subtype: 'success',
      is_error: failed,
      result: failed ? `API Error: ${AWAY}` : said(id),
      session_id: id,
      total_cost_usd: 0.25 * turnsOf(id),
      usage: {
        input_tokens: 11,
        cache_creation_input_tokens: 7,
        cache_read_input_tokens: 100,
        output_tokens: 9,
      },
      modelUsage: { 'claude-opus-5-5': {} },
    });
    process.exitCode = failed ? 1 : 0;
  },
  qwen() {
    const id = session(
      after('--resume'),
      (one) => `No saved session found with ID ${one}. Run \`qwen --resume\``,
    );
    const failed = deed === 'fails';
    const result = failed
      ? { is_error: true, error: { message: `[API Error: ${AWAY}]` } }
      : { is_error: false, result: said(id) };
    print([
      { type: 'system', subtype: 'init', session_id: id },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'half' }] } },
      {
        type: 'result',
        session_id: id,
        usage: { input_tokens: 118, output_tokens: 9, cache_read_input_tokens: 100 },
        ...result,
      },
    ]);
    process.exitCode = failed ? 1 : 0;
  },
  codex() {
    if (!args.includes('--skip-git-repo-check')) {
      console.error('Not inside a trusted directory and --skip-git-repo-check was not specified.');
      process.exit(1);
    }
    const id = session(
      after('resume'),
      (one) => `Error: thread/resume failed: no rollout found for thread id ${one}`,
    );
    print(
      { type: 'thread.started', thread_id: id },
      {
        type: 'item.completed',
        item: { id: 'i0', type: 'error', message: 'Model metadata for `x` not found.' },
      },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'i1', type: 'agent_message', text: 'I will look.' } },
      {
        type: 'item.completed',
        item: { id: 'i2', type: 'command_execution', aggregated_output: 'x'.repeat(99_999) },
      },
    );
    if (deed === 'fails') {
      print({ type: 'error', message: AWAY }, { type: 'turn.failed', error: { message: AWAY } });
      process.exit(1);
    }
    const turns = turnsOf(id);
    print(
      { type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: said(id) } },
      {
        type: 'turn.completed',
        usage: { input_tokens: 118 * turns, cached_input_tokens: 100 * turns, output_tokens: 9 * turns },
      },
    );
  },
  gemini() {
    const id = session(after('--resume'), () => 'Error resuming session: Invalid session identifier');
    if (deed === 'fails') {
      const error = { type: 'Error', message: JSON.stringify({ error: { message: AWAY } }), code: 41 };
      console.error(`Ripgrep is not available.\n${JSON.stringify({ session_id: id, error }, null, 2)}`);
      process.exit(41);
    }
    const tokens = { prompt: 118, candidates: 9, thoughts: 0, cached: 100 };
    process.stdout.write(
      JSON.stringify(
        { session_id: id, response: said(id), stats: { models: { 'gemini-x': { tokens } } } },
        null,
        2,
      ),
    );
  },
  opencode() {
    const id = session(after('--session'), () => 'Error: Session not found');
    print(
      { type: 'text', sessionID: id, part: { type: 'text', text: 'Let me look.' } },
      { type: 'tool_use', sessionID: id, part: { tool: 'bash' } },
    );
    if (deed === 'fails')
      return print({ type: 'error', sessionID: id, error: { name: 'APIError', data: { message: AWAY } } });
    print(
      { type: 'text', sessionID: id, part: { type: 'text', text: said(id) } },
      {
        type: 'step_finish',
        sessionID: id,
        part: { tokens: { input: 18, output: 9, reasoning: 0, cache: { read: 100, write: 0 } }, cost: 0.25 },
      },
    );
  },
  goose() {
    const own = after('--name') ?? '';
    const id = session(args.includes('--resume') ? own : undefined, () => 'Error: no session found', own);
    const text = deed === 'fails' ? `Ran into this error: ${AWAY}.` : said(id);
    print({
      messages: [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        { role: 'assistant', content: [{ type: 'text', text }] },
      ],
      metadata: { status: 'completed', input_tokens: 118 * turnsOf(id), output_tokens: 9 * turnsOf(id) },
    });
  },
  pi() {
    const id = session(after('--session'), (one) => `No session found matching '${one}'`);
    const failed = deed === 'fails';
    print(
      { type: 'session', version: 3, id },
      { type: 'message_end', message: { role: 'assistant', content: [{ type: 'text', text: 'half' }] } },
      {
        type: 'agent_end',
        messages: [
          { role: 'user', content: [{ type: 'text', text: prompt }] },
          {
            role: 'assistant',
            content: failed ? [] : [{ type: 'text', text: said(id) }],
            model: 'm',
            usage: { input: 18, output: 9, cacheRead: 100, cacheWrite: 0, cost: { total: 0.25 } },
            stopReason: failed ? 'error' : 'stop',
            ...(failed ? { errorMessage: AWAY } : {}),
          },
        ],
      },
    );
  },
};

PROGRAMS[name]?.();
