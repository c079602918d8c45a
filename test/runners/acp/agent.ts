// An agent built with the official SDK, run as a process of its own. What it does stands in the message it is given, as
// `!word`; what it sees it says on standard error, so that a test can wait for it.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { agent, type AgentContext, methods, ndJsonStream, type StopReason } from '@agentclientprotocol/sdk';

const saw = (what: string): void => console.error(`saw ${what}`);
const [folder = '.'] = process.argv.slice(2);
const cancels = new Map<string, () => void>();
let sessions = 0;
const prompts = new Map<string, number>();

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
    if (text.includes('that is all')) return 'end_turn';
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
  max_tokens: async ({ say }) => (await say('The first reason is'), 'max_tokens'),
  max_turn_requests: () => Promise.resolve('max_turn_requests' as const),
  refusal: () => Promise.resolve('refusal' as const),
  cancelled: () => Promise.resolve('cancelled' as const),
  throws: () => Promise.reject(new Error('no credit')),
};

agent({ name: 'test-agent' })
  .onRequest(methods.agent.initialize, ({ params }) => {
    saw(
      `initialize ${JSON.stringify(params.clientCapabilities)} ${Object.keys(process.env).toSorted().join()}`,
    );
    return {
      protocolVersion: Math.min(params.protocolVersion, 1),
      agentCapabilities: { sessionCapabilities: { close: {} } },
    };
  })
  .onRequest(methods.agent.session.new, ({ params }) => {
    saw(`session ${JSON.stringify(params)}`);
    sessions += 1;
    return { sessionId: `s${sessions}` };
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
    const say: Asked['say'] = (words, messageId) =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: {
          sessionUpdate: 'agent_message_chunk',
          content: { type: 'text', text: words },
          ...(messageId === undefined ? {} : { messageId }),
        },
      });
    const stopReason =
      does === undefined
        ? await say(`read: ${text.startsWith('Your request for permission') ? 'no permission' : message}`)
        : await does({ client, sessionId, text, cancelled, say });
    return { stopReason: stopReason ?? 'end_turn' };
  })
  .onNotification(methods.agent.session.cancel, ({ params }) => {
    saw(`cancel ${params.sessionId}`);
    cancels.get(params.sessionId)?.();
  })
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
