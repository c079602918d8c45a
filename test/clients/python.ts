// The Python client in a process of its own, as people run it: a small program, `python3`, and a host to connect to.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { childEnv, type Listening } from '../server/up.ts';

const CLIENT = resolve('clients/python');
const OLDEST = [3, 10] as const;

/** Why the client cannot run here, or undefined. */
export function pythonMissing(): string | undefined {
  const { status, stdout } = spawnSync('python3', ['-c', 'import sys; print(*sys.version_info[:2])'], {
    encoding: 'utf8',
  });
  if (status !== 0) return 'there is no python3 here';
  const [major = 0, minor = 0] = stdout.split(' ').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld ? `python3 is ${major}.${minor}; the client needs ${OLDEST.join('.')}` : undefined;
}

/** Prints a line for every turn and every end of one. What the text says decides what it does. */
const AGENT = `
import asyncio, sys
import earshot

agent = earshot.connect(sys.argv[1], sys.argv[2])

@agent.on_turn
async def answer(turn):
    print("turn", turn.text, flush=True)
    if "slowly" in turn.text:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            print("cancelled", turn.cancelled.is_set(), flush=True)
            raise
    if "break" in turn.text:
        turn.usage(input_tokens=120, output_tokens=7, model="small")
        raise ValueError("the model is down\\nsecond line")
    return "NO_REPLY" if "nothing" in turn.text else f"re: {turn.text}"

agent.run()
`;

/** The same as a plain function, with tools. */
export const PLAIN = `
import sys
import earshot

agent = earshot.connect(sys.argv[1], sys.argv[2])

@agent.on_turn
def answer(turn):
    names = [tool.name for tool in turn.tools]
    read = turn.wait(turn.read_thread(limit=5))
    seen = turn.wait(turn.react("seen"))
    refused = turn.wait(turn.react("nonsense"))
    print(names, read.ok, len(read.data["events"]), seen.ok, refused.ok, flush=True)
    send = next(tool for tool in turn.tools if tool.name == "chat_send_message")
    print(send.input_schema["required"], flush=True)
    sent = turn.wait(send.call({"text": "by tool"}))
    edited = turn.wait(turn.edit(sent.data["eventId"], "mended"))
    print("edit", edited.ok, edited.error, sorted(sent.data), flush=True)

agent.run()
`;

/** Says when it works, and when it is done. */
export const WORKING = `
import sys
import earshot

agent = earshot.connect(sys.argv[1], sys.argv[2])

@agent.on_turn
async def answer(turn):
    print("turn", flush=True)
    await turn.reply("hi")
    print("done", flush=True)

agent.run()
`;

export interface Python {
  child: ChildProcess;
  out: () => string;
  err: () => string;
  /** Resolves when it has printed this. */
  said: (text: string) => Promise<void>;
  exit: Promise<number | null>;
}

/** Runs the program beside the client. Ended with the test. */
export function python(args: readonly string[], code = AGENT): Python {
  const file = join(mkdtempSync(join(tmpdir(), 'earshot-python-')), 'agent.py');
  writeFileSync(file, code);
  const [EARSHOT_URL = '', EARSHOT_TOKEN = ''] = args;
  const env = childEnv({ PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1', EARSHOT_URL, EARSHOT_TOKEN });
  const child = spawn('python3', [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const said = (text: string): Promise<void> =>
    new Promise((done) => {
      const look = (): void => void ((out + err).includes(text) && done());
      child.stdout.on('data', look);
      child.stderr.on('data', look);
      look();
    });
  const exit = new Promise<number | null>((done) => void child.on('close', done));
  return { child, out: () => out, err: () => err, said, exit };
}

/** The agent `lead` of this host, in Python. */
export function leadOf(host: Listening, code?: string): Python {
  return python([`${host.url}/c2a`, host.tokens.agents['lead'] ?? ''], code);
}
