// A plain MCP client as an agent: it waits for events, asks its model, and sends the answer. Both major versions of the
// SDK have the same client; `v1` loads the earlier one from the folder that it was installed into.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as McpClient from '@modelcontextprotocol/client';

type Sdk = Pick<typeof McpClient, 'Client' | 'StreamableHTTPClientTransport'>;
interface Event {
  eventId: string;
  conversation: { id: string; kind: string };
  policy: string;
}

const { EARSHOT_HTTP = '', EARSHOT_TOKEN = '', MODEL_URL = '', CLIENT_PACKAGES = '' } = process.env;
const { Client, StreamableHTTPClientTransport } = await (process.argv[2] === 'v1' ? sdkV1() : sdkV2());
const client = new Client({ name: 'clients', version: '1' });
const headers = { authorization: `Bearer ${EARSHOT_TOKEN}` };
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', EARSHOT_HTTP), { requestInit: { headers } }),
);

for (;;) {
  const { events } = (await call('chat_wait_events', { timeoutMs: 20_000 })) as { events: Event[] };
  for (const event of events.filter(({ policy }) => /^m(?:ust|ay)_respond$/.test(policy))) {
    try {
      const text = await answer(JSON.stringify(event));
      const { eventId, conversation } = event;
      const target = `${conversation.kind}:${conversation.id}`;
      const reply = { target, inReplyTo: eventId, text, visibility: 'channel', directedness: 'ambient' };
      await call('chat_send_message', reply);
    } catch (error) {
      console.error(`the handler failed: ${String(error)}`);
    }
  }
}

async function call(name: string, input: Record<string, unknown>): Promise<unknown> {
  const result = await client.callTool({ name, arguments: input });
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return result.structuredContent;
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
