// A plain MCP client as an agent: one call waits for a turn, the model answers it, and the next call takes the answer
// along. Both major versions of the SDK have the same client; `v1` loads the earlier one from where it was installed. The
// inspector is a program that connects, makes one call and ends.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as McpClient from '@modelcontextprotocol/client';

type Sdk = Pick<typeof McpClient, 'Client' | 'StreamableHTTPClientTransport'>;
interface Result {
  isError?: boolean;
  content: { text?: string }[];
  _meta?: Record<string, unknown>;
}
/** One call of the tool that answers and waits. */
type Call = (input: Readonly<Record<string, string>>) => Promise<Result>;

/** Where a result holds the events as objects, for programs. The model reads the text. */
const EVENTS = 'earshot/events';
const ASK_AGAIN_MS = 1_000;

const { EARSHOT_HTTP = '', EARSHOT_TOKEN = '', MODEL_URL = '', CLIENT_PACKAGES = '' } = process.env;
const endpoint = new URL('/mcp', EARSHOT_HTTP);
const WAIT = 'chat_wait_events';
const CALLERS: Readonly<Record<string, () => Promise<Call>>> = {
  v1: async () => connected(await sdkV1()),
  v2: async () => connected(await import('@modelcontextprotocol/client')),
  inspector: async () => inspected,
};
const call = await CALLERS[process.argv[2] ?? '']?.();
if (call === undefined) throw new Error(`one of ${Object.keys(CALLERS).join(', ')}`);

let reply: string | undefined;
for (;;) {
  const { turn, policies } = await wait(reply);
  reply = policies.some((policy) => /^m(?:ust|ay)_respond$/.test(policy))
    ? await untilAnswered(turn)
    : undefined;
}

/** Answers the last turn, ends it, and takes the next one. */
async function wait(answered: string | undefined): Promise<{ turn: string; policies: string[] }> {
  const input = answered === undefined ? {} : { reply: answered };
  const result = await call?.(input);
  if (result === undefined) throw new Error('it gave no result');
  if (result.isError === true) {
    // A refused answer is not posted. What to answer instead, if anything, is the next turn.
    if (answered !== undefined) return wait(undefined);
    throw new Error(JSON.stringify(result.content));
  }
  const { _meta: beside = {} } = result;
  const events = (beside[EVENTS] ?? []) as { policy: string }[];
  const [first] = result.content;
  return { turn: first?.text ?? '', policies: events.map(({ policy }) => policy) };
}

/** The turn stands in what the model has read. So the model is asked again, and not the chat. */
async function untilAnswered(turn: string): Promise<string> {
  for (;;) {
    try {
      return await answer(turn);
    } catch (error) {
      console.error(`the handler failed: ${String(error)}`);
      await rest(ASK_AGAIN_MS);
    }
  }
}

async function answer(prompt: string): Promise<string> {
  const response = await fetch(`${MODEL_URL}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'local-model', messages: [{ role: 'user', content: prompt }] }),
  });
  if (!response.ok) throw new Error(`the provider answered ${response.status}`);
  const body = (await response.json()) as { choices: { message: { content: string } }[] };
  return body.choices[0]?.message.content ?? '';
}

async function connected({ Client, StreamableHTTPClientTransport }: Sdk): Promise<Call> {
  const client = new Client({ name: 'clients', version: '1' });
  const headers = { authorization: `Bearer ${EARSHOT_TOKEN}` };
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers } }));
  return async (input) => (await client.callTool({ name: WAIT, arguments: input })) as Result;
}

/** Its result is what it prints, whatever its exit code. */
async function inspected(input: Readonly<Record<string, string>>): Promise<Result> {
  const given = Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]);
  const to = ['--cli', endpoint.href, '--header', `Authorization: Bearer ${EARSHOT_TOKEN}`];
  const argv = [...to, '--method', 'tools/call', '--tool-name', WAIT, ...given];
  const child = spawn('mcp-inspector', argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as Result;
}

async function sdkV1(): Promise<Sdk> {
  const { resolve } = createRequire(join(CLIENT_PACKAGES, 'package.json'));
  const load = async (path: string): Promise<unknown> =>
    import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/client/${path}`)).href);
  return { ...((await load('index.js')) as object), ...((await load('streamableHttp.js')) as object) } as Sdk;
}
