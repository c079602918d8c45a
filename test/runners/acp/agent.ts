// An agent built with the official SDK, run as a process of its own. What it does stands in the message it is given, as
// `!word`; what it sees it says on standard error, so that a test can wait for it.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  agent,
  type AgentContext,
  type McpServer,
  methods,
  ndJsonStream,
  RequestError,
  type StopReason,
} from '@agentclientprotocol/sdk';

const saw = (what: string): void => console.error(`saw ${what}`);
const [folder = '.', given = ''] = process.argv.slice(2);
/** What this agent has beyond the least: `load`, `resume`, `http`, `modes`, `banner`, `ids`. */
const has = new Set(given.split(','));
const cancels = new Map<string, () => void>();
let sessions = 0;
const prompts = new Map<string, number>();

const servers = new Map<string, Extract<McpServer, { type: 'http' }>>();

/** One call of an MCP tool over HTTP, as a client makes it. */
async function callTool(
  { url, headers }: Extract<McpServer, { type: 'http' }>,
  name: string,
  args: object,
): Promise<string> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...Object.fromEntries(headers.map((one) => [one.name, one.value])),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  return `${answer.status} ${(await answer.text()).replace(/\s+/g, ' ').slice(0, 300)}`;
}

/** Sessions are files, so that another process can take them up. */
const kept = (sessionId: string): string => join(folder, `session-${sessionId}`);

/** True the first time only, over all processes of one test. */
function first(word: string): boolean {
  const mark = join(folder, word);
  if (existsSync(mark)) return false;
  writeFileSync(mark, '');
  return true;
}

interface Asked {
  client: AgentContext;
  sessionId: string;
  text: string;
  /** Resolves when the prompt is cancelled. */
  cancelled: Promise<void>;
  say: (text: string, messageId?: string) => Promise<void>;
}

const DOES: Readonly<Record<string, (asked: Asked) => Promise<StopReason | void>>> = {
  async say({ say, text }) {
    await say('I was ');
    await say(`asked: ${/!say (.*)/.exec(text)?.[1] ?? ''}`);
  },
  async session({ say, sessionId, text }) {
    const rules = text.includes('C2A RESPONSE RULES') ? 'rules' : 'no rules';
    const earlier = text.includes('EARLIER HERE') ? 'history' : 'no history';
    await say(`${sessionId} prompt ${prompts.get(sessionId)}, ${rules}, ${earlier}`);
  },
  async think({ say, cancelled, text }) {
    await say('half an answer');
    if (text.includes('in two words')) return 'end_turn';
    await cancelled;
    return 'cancelled';
  },
  async deaf() {
    await new Promise(() => undefined);
  },
  async permit({ client, sessionId, say, text }) {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: {
        toolCallId: 'call_1',
        kind: 'execute',
        title: 'clean up',
        rawInput: { command: /!permit (.*)/.exec(text)?.[1] ?? 'rm -r build' },
      },
      options: [
        { optionId: 'always', name: 'Always', kind: 'allow_always' },
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    const chosen = outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome;
    saw(`permission ${chosen}`);
    if (chosen === 'cancelled') return 'cancelled';
    await say(chosen === 'yes' ? 'cleaned up' : 'left as it is');
    return 'end_turn';
  },
  async foretell({ client, sessionId, say }) {
    await say(
      'I am going to clean up the folder of the build, because it is full of files that nobody needs. ',
      'm1',
    );
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: {
        toolCallId: 'call_1',
        kind: 'execute',
        title: 'clean up',
        rawInput: { command: 'rm -r build' },
      },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    await say(
      outcome.outcome === 'selected' && outcome.optionId === 'yes' ? 'It is clean. ' : 'Left as it is. ',
      'm2',
    );
  },
  async always({ client, sessionId, say }) {
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'call_1', title: 'everything' },
      options: [{ optionId: 'always', name: 'Always', kind: 'allow_always' }],
    });
    await say(outcome.outcome);
  },
  async crash({ say }) {
    if (!first('crash')) return say('alive again');
    await say('half an answer');
    console.error('out of memory');
    process.exit(3);
  },
  async crashafter({ client, sessionId, say }) {
    await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'call_1', title: 'crash' },
      options: [{ optionId: 'yes', name: 'Allow', kind: 'allow_once' }],
    });
    await say('half an answer');
    process.exit(3);
  },
  async garbage({ say }) {
    process.stdout.write('Welcome!\n\u001B[31mnot json\u001B[0m\n{"level":"info"}\n[1]\n\n');
    await say('all the same');
    process.stdout.write('bye\n');
  },
  async flood({ say }) {
    for (let n = 0; n < 2_000; n++) await say('é'.repeat(500));
  },
  async long({ say }) {
    await say('x'.repeat(3_000_000));
  },
  async silent({ say }) {
    await say('NO_');
    await say('REPLY');
  },
  async work({ client, sessionId, say }) {
    const update = (one: object): Promise<void> =>
      client.notify('session/update', { sessionId, update: one });
    await say('Let me look.', 'm1');
    await update({
      sessionUpdate: 'plan',
      entries: [{ content: 'look', priority: 'low', status: 'in_progress' }],
    });
    await update({ sessionUpdate: 'tool_call', toolCallId: 't', title: 'grep deploy', status: 'pending' });
    await update({ sessionUpdate: 'tool_call_update', toolCallId: 't', status: 'completed' });
    await update({ sessionUpdate: 'a_kind_of_the_future', anything: [1] });
    await update({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hmm' } });
    await say('It is ', 'm2');
    await say('green.', 'm2');
  },
  /** As Codex: the model's messages have ids, warnings have none. */
  async warned({ say }) {
    await say('Model metadata for `gpt-x` not found. Defaulting to fallback metadata.\n');
    await say('It is ', 'm1');
    await say('Heads up: less than 5% of your limit is left.');
    await say('green.', 'm1');
  },
  /** The model never gets to say a word; the prompt ends as if all were well. */
  async broken({ say }) {
    await say('stream disconnected before completion: error sending request for url (http://127.0.0.1:1/v1)');
  },
  async remark({ say }) {
    await say('Reconnecting... 5/5');
    await say('the provider is away: sk-live-0123456789');
  },
  async dataerror() {
    throw new RequestError(-32_603, 'Internal error', { error: { message: 'quota is used up' } });
  },
  async lost({ say }) {
    if (first('lost')) throw new RequestError(-32_002, 'Resource not found', { uri: 'session' });
    await say('found again');
  },
  /** Announces what it then asks permission for. */
  async announce({ client, sessionId, say, text }) {
    await say('I will now remove the build folder. Done.');
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'call_1', title: 'rm', rawInput: { command: ['bash', '-lc', 'rm -r build'] } },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    const allowed = outcome.outcome === 'selected' && outcome.optionId === 'yes';
    if (allowed) await say('It is gone.');
    else if (text.includes('and then')) await say('I left it.');
  },
  /** Asks for what stands in the message as JSON: a tool call in any agent's words. */
  async tool({ client, sessionId, say, text }) {
    const { announced, ...toolCall } = JSON.parse(/!tool (.*)/.exec(text)?.[1] ?? '{}') as Record<
      string,
      object
    >;
    if (announced !== undefined)
      await client.notify('session/update', {
        sessionId,
        update: { sessionUpdate: 'tool_call', toolCallId: 'call_1', status: 'pending', ...announced },
      });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: 'call_1', ...toolCall },
      options: [
        { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
        { optionId: 'no', name: 'Reject', kind: 'reject_once' },
      ],
    });
    await say(outcome.outcome === 'selected' ? outcome.optionId : outcome.outcome);
  },
  /** Answers with the chat tools, and says at the end that it did. */
  async chattool({ client, sessionId, say, text }) {
    const server = servers.get(sessionId);
    if (server === undefined) return say('no tools');
    const eventId = /event_id: (\S+)/.exec(text)?.[1] ?? '';
    const target = /reply_target: (\S+)/.exec(text)?.[1] ?? '';
    const sent = await callTool(server, 'chat_send_message', {
      text: 'by tool',
      inReplyTo: eventId,
      target,
      visibility: 'channel',
      directedness: 'to_me',
    });
    saw(`tool ${sent}`);
    await client.notify('session/update', {
      sessionId,
      update: {
        sessionUpdate: 'tool_call',
        toolCallId: 'send',
        title: 'mcp__earshot__chat_send_message',
        status: 'completed',
        rawInput: { text: 'by tool', target },
      },
    });
    await say('I have answered in chat.');
  },
  refused: async ({ say }) => (await say('API Error: 400 the request was blocked'), 'refusal'),
  refuses: async ({ say }) => (await say('I will not do that.', 'm1'), 'refusal'),
  mumbles: async ({ say }) => (await say('something went wrong in the tool'), 'refusal'),
  max_tokens: async ({ say }) => (await say('The first reason is'), 'max_tokens'),
  max_turn_requests: () => Promise.resolve('max_turn_requests' as const),
  refusal: () => Promise.resolve('refusal' as const),
  cancelled: () => Promise.resolve('cancelled' as const),
  throws: () => Promise.reject(new Error('no credit')),
};

function chunk(client: AgentContext, sessionId: string, text: string, messageId?: string): Promise<void> {
  return client.notify(methods.client.session.update, {
    sessionId,
    update: {
      sessionUpdate: 'agent_message_chunk',
      content: { type: 'text', text },
      ...(messageId === undefined ? {} : { messageId }),
    },
  });
}

const MODES = {
  modes: {
    currentModeId: 'default',
    availableModes: [
      { id: 'default', name: 'Default' },
      { id: 'plan', name: 'Plan Mode' },
    ],
  },
  configOptions: [
    {
      id: 'the-model',
      name: 'Model',
      category: 'model',
      type: 'select' as const,
      currentValue: 'big',
      options: [
        { value: 'big', name: 'Big One' },
        { value: 'small', name: 'Small One' },
      ],
    },
  ],
};

/** As Claude's agent reports it: the cache beside the input. */
const COST = {
  usage: {
    inputTokens: 10,
    outputTokens: 20,
    cachedReadTokens: 300,
    cachedWriteTokens: 40,
    totalTokens: 370,
  },
};

agent({ name: 'test-agent' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    saw(
      `initialize ${JSON.stringify(params.clientCapabilities)} ${Object.keys(process.env).toSorted().join()}`,
    );
    return {
      protocolVersion: Math.min(params.protocolVersion, 1),
      agentCapabilities: {
        loadSession: has.has('load'),
        mcpCapabilities: { http: has.has('http') },
        sessionCapabilities: { close: {}, ...(has.has('resume') ? { resume: {} } : {}) },
      },
    };
  })
  .onRequest(methods.agent.session.new, ({ params, client }) => {
    saw(`session ${JSON.stringify(params)}`);
    sessions = has.has('load') || has.has('resume') ? readdirSync(folder).length + 1 : sessions + 1;
    const sessionId = `s${sessions}`;
    if (has.has('load') || has.has('resume')) writeFileSync(kept(sessionId), '');
    for (const server of params.mcpServers)
      if ('type' in server && server.type === 'http') servers.set(sessionId, server);
    if (has.has('banner')) setTimeout(() => void chunk(client, sessionId, 'pi v0.1: 3 skills loaded\n'), 0);
    return { sessionId, ...(has.has('modes') ? MODES : {}) };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    saw(`load ${params.sessionId}`);
    if (!existsSync(kept(params.sessionId))) throw new RequestError(-32_002, 'Resource not found');
    await chunk(client, params.sessionId, 'what I said long ago', 'old');
    return {};
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    saw(`resume ${params.sessionId}`);
    if (!existsSync(kept(params.sessionId))) throw new RequestError(-32_002, 'Resource not found');
    return {};
  })
  .onRequest(methods.agent.session.setMode, ({ params }) => {
    saw(`mode ${params.modeId}`);
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => {
    saw(`option ${params.configId} ${String(params.value)}`);
    return { configOptions: [] };
  })
  .onRequest(methods.agent.session.close, ({ params }) => {
    saw(`close ${params.sessionId}`);
    return {};
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const { sessionId, prompt } = params;
    const text = prompt.map((part) => (part.type === 'text' ? part.text : '')).join('');
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    cancels.set(sessionId, resolve);
    const nth = (prompts.get(sessionId) ?? 0) + 1;
    prompts.set(sessionId, nth);
    saw(`prompt ${nth} of ${sessionId}`);
    const message = text.slice(text.lastIndexOf('\nMESSAGE'));
    const does = DOES[/!(\w+)/.exec(message)?.[1] ?? ''];
    const say: Asked['say'] = (words, messageId) => chunk(client, sessionId, words, messageId);
    const stopReason =
      does === undefined
        ? await say(`read: ${text.startsWith('Your request for permission') ? 'no permission' : message}`)
        : await does({ client, sessionId, text, cancelled, say });
    return { stopReason: stopReason ?? 'end_turn', ...(text.includes('!cost') ? COST : {}) };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    saw(`cancel ${params.sessionId}`);
    cancels.get(params.sessionId)?.();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
