// A plain MCP client as an agent: one call waits for a turn, the model answers it, and the next call takes the answer
// along. Both major versions of the SDK have the same client; `v1` loads the earlier one from where it was installed.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type * as McpClient from '@modelcontextprotocol/client';

type Sdk = Pick<typeof McpClient, 'Client' | 'StreamableHTTPClientTransport'>;
/** Where a result holds the events as objects, for programs. The model reads the text. */
const EVENTS = 'earshot/events';
const ASK_AGAIN_MS = 1_000;

const { EARSHOT_HTTP = '', EARSHOT_TOKEN = '', MODEL_URL = '', CLIENT_PACKAGES = '' } = process.env;
const { Client, StreamableHTTPClientTransport } = await (process.argv[2] === 'v1' ? sdkV1() : sdkV2());
const client = new Client({ name: 'clients', version: '1' });
const headers = { authorization: `Bearer ${EARSHOT_TOKEN}` };
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', EARSHOT_HTTP), { requestInit: { headers } }),
);

let reply: string | undefined;
for (;;) {
  const { text, policies } = await wait(reply);
  reply = policies.some((policy) => /^m(?:ust|ay)_respond$/.test(policy))
    ? await untilAnswered(text)
    : undefined;
}

/** Answers the last turn, ends it, and takes the next one. */
async function wait(answered: string | undefined): Promise<{ text: string; policies: string[] }> {
  const input = answered === undefined ? {} : { reply: answered };
  const result = await client.callTool({ name: 'chat_wait_events', arguments: input });
  if (result.isError === true) {
    // A refused answer is not posted. What to answer instead, if anything, is the next turn.
    if (answered !== undefined) return wait(undefined);
    throw new Error(JSON.stringify(result.content));
  }
  const events = (result['_meta']?.[EVENTS] ?? []) as { policy: string }[];
  const [first] = result.content as { text?: string }[];
  return { text: first?.text ?? '', policies: events.map(({ policy }) => policy) };
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

async function sdkV1(): Promise<Sdk> {
  const { resolve } = createRequire(join(CLIENT_PACKAGES, 'package.json'));
  const load = async (path: string): Promise<unknown> =>
    import(pathToFileURL(resolve(`@modelcontextprotocol/sdk/client/${path}`)).href);
  return { ...((await load('index.js')) as object), ...((await load('streamableHttp.js')) as object) } as Sdk;
}

function sdkV2(): Promise<Sdk> {
  return import('@modelcontextprotocol/client');
}
