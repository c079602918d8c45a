// What is negotiated has an effect: a flag that the host confirms is done, and one that the harness gave up is not.
import { Broken, expectThat, type Bench, type Scenario } from '../scenario.ts';
import type { TestSession } from '../session.ts';
import { deliveredText } from './deliver.ts';

const TOOLS = {
  readThread: true,
  sendMessage: true,
  react: true,
  reactionSignals: true,
  claim: true,
  defer: true,
  resolve: true,
};
const INTERNAL = -32_603;

async function listed(session: TestSession): Promise<string[]> {
  const answer = await session.request('tools/list', {});
  if (!answer.ok) throw new Broken('tools/list to be answered', answer);
  const { tools = [] } = answer.result as { tools?: { name?: string }[] };
  return tools.map(({ name = '' }) => name);
}

async function asked({ open, room }: Bench, options: Parameters<Bench['open']>[0]) {
  const [session, here] = [await open(options), room()];
  const id = await here.ask('is the deploy blocked?');
  const { event } = await session.delivered(id);
  return { session, here, id, event };
}

export const NEGOTIATE: readonly Scenario[] = [
  {
    id: 'negotiate/tools',
    title: 'A tool that the harness gave up is not listed, and refused',
    needs: ['events'],
    async run(bench) {
      const capabilities = { chatTools: { ...TOOLS, react: false } };
      const { session, id } = await asked(bench, { capabilities });
      const names = await listed(session);
      expectThat(names.includes('chat.claim'), 'chat.claim among the tools', names);
      expectThat(!names.includes('chat.react'), 'no chat.react among the tools', names);
      const reacted = await session.tool('chat.react', { inReplyTo: id, signal: 'done' });
      expectThat(!reacted.ok && reacted.message !== '', 'a refusal with a reason', reacted);
    },
  },
  {
    id: 'negotiate/ack',
    title: 'Without ack a delivery is a notification, and does not come again',
    needs: ['events', 'push'],
    async run(bench) {
      const capabilities = { delivery: { ack: false, redelivery: true, idempotency: true } };
      const { session, id } = await asked(bench, { capabilities });
      expectThat(session.requestIds.get(id) === undefined, 'a notification, without an id', {
        id: session.requestIds.get(id),
      });
      await session.done('chat.resolve', { inReplyTo: id });
    },
  },
  {
    id: 'negotiate/error-comes-again',
    title: 'A delivery that is answered with an error that may pass comes again',
    needs: ['events', 'push'],
    async run({ open, room }) {
      const [session, here] = [await open({ refuseFirst: INTERNAL }), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await session.next(({ eventId }) => eventId === id, `${id} again after an error`);
    },
  },
  {
    id: 'negotiate/cancelled-names-the-request',
    title: 'A cancellation names the event, and the request that delivered it',
    needs: ['events', 'push'],
    async run(bench) {
      const { session, here, id } = await asked(bench, {});
      await here.remove(id);
      const isIt = ({ method, params }: { method: string; params: Record<string, unknown> }): boolean =>
        method === 'notifications/cancelled' &&
        params['eventId'] === id &&
        params['requestId'] === session.requestIds.get(id);
      const told = await session.note(isIt);
      expectThat(told, `notifications/cancelled with requestId ${session.requestIds.get(id)}`, session.notes);
    },
  },
  {
    id: 'negotiate/cancellation',
    title: 'Without cancellation nothing is cancelled aloud, and an answer is refused all the same',
    needs: ['events', 'push'],
    async run(bench) {
      const utilities = { progress: true, cancellation: false, logging: false };
      const { session, here, id } = await asked(bench, { capabilities: { utilities } });
      await here.remove(id);
      const barrier = await here.ask('are you there?', { by: 'zoe' });
      await session.delivered(barrier);
      const cancelled = session.notes.filter(({ method }) => method === 'notifications/cancelled');
      expectThat(cancelled.length === 0, 'no notifications/cancelled', cancelled);
      const late = await session.tool('chat.send_message', {
        target: here.target,
        text: 'It is not.',
        inReplyTo: id,
        visibility: 'channel',
        directedness: 'to_other',
        idempotencyKey: `${id}-late`,
      });
      expectThat(!late.ok, 'a refusal', late);
    },
  },
  {
    id: 'negotiate/glyphs',
    title: 'Negotiated glyphs are those of the agent’s reactions',
    needs: ['events'],
    async run(bench) {
      const capabilities = { glyphs: { done: '🎉' } };
      const { session, here, id } = await asked(bench, { capabilities });
      await session.done('chat.react', { inReplyTo: id, signal: 'done' });
      const glyphs = await here.glyphs();
      expectThat(glyphs.join() === '🎉', 'the reaction 🎉', glyphs);
    },
  },
  {
    id: 'negotiate/notify',
    title: 'Without notify nothing comes as a knock',
    needs: ['events'],
    async run(bench) {
      const injection = { immediate: true, buffered: true, notify: false, tool_mailbox: true };
      const { event } = await asked(bench, { capabilities: { injection } });
      expectThat(event['knock'] === undefined && deliveredText(event) !== '', 'the words themselves', event);
    },
  },
  {
    id: 'negotiate/progress-names-its-event',
    title: 'Progress that names no event is answered with an error that says so',
    needs: ['events'],
    async run(bench) {
      const { session, id } = await asked(bench, {});
      const report = { progressToken: 'check', progress: 1, total: 2 };
      const bare = await session.request('notifications/progress', report);
      const said = bare.ok || bare.kind !== 'error' ? '' : bare.error.message;
      expectThat(said.includes('eventId'), 'an error that names eventId', bare);
      const whole = await session.request('notifications/progress', { ...report, eventId: id });
      expectThat(whole.ok, 'progress about an event to be taken', whole);
    },
  },
];
