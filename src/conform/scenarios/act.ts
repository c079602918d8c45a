// What an agent does: it sends at most once, is refused with a reason, settles what it was asked, and is fenced when
// its turn is over. Also what people change meanwhile.
import { expectThat, type Bench, type Scenario } from '../scenario.ts';
import type { TestSession } from '../session.ts';
import { deliveredText } from './deliver.ts';

const reply = (target: string, inReplyTo: string, text: string, more: Record<string, unknown> = {}) => ({
  target,
  text,
  inReplyTo,
  visibility: 'channel',
  directedness: 'to_other',
  idempotencyKey: `${inReplyTo}-reply`,
  ...more,
});

/** Checks that a later session gets no more of a settled event. */
async function staysSettled(
  { open }: Bench,
  room: ReturnType<Bench['room']>,
  first: TestSession,
  id: string,
): Promise<void> {
  const { events } = await first.done('chat.list_events', {
    target: room.target,
    unsettled: true,
    limit: 50,
  });
  const unsettled = ((events ?? []) as { eventId?: unknown }[]).map(({ eventId }) => eventId);
  expectThat(!unsettled.includes(id), `${id} not among what waits for an outcome`, unsettled);
  first.link.close('normal');
  await first.link.closed;
  const second = await open();
  const barrier = await room.ask('anything else?', { by: 'zoe' });
  const { before } = await second.delivered(barrier);
  const again = before.filter(({ eventId }) => eventId === id || eventId.startsWith(`${id}/`));
  expectThat(
    again.length === 0,
    'nothing more of what was settled',
    again.map(({ eventId }) => eventId),
  );
}

export const ACT: readonly Scenario[] = [
  {
    id: 'act/send-once',
    title: 'The same key again is the same message: shown once, the first answer again',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      const send = reply(here.target, id, 'It is not blocked.');
      const first = await session.done('chat.send_message', send);
      const second = await session.done('chat.send_message', send);
      expectThat(
        second['eventId'] === first['eventId'],
        `the first eventId, ${String(first['eventId'])}`,
        second,
      );
      const said = await here.said();
      expectThat(said.length === 1, 'one visible message', said);
    },
  },
  {
    id: 'act/key-other-body',
    title: 'The same key with other words is refused, and nothing of it is shown',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await session.done('chat.send_message', reply(here.target, id, 'It is not blocked.'));
      const other = await session.tool('chat.send_message', reply(here.target, id, 'Or perhaps it is.'));
      expectThat(!other.ok, 'a refusal', other);
      const said = await here.said();
      expectThat(said.join() === 'It is not blocked.', 'the first message alone', said);
    },
  },
  {
    id: 'act/policy-enforced',
    title: 'An answer to what must not be answered is refused with a reason',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      await here.say('hello bob', { by: 'ada' });
      const ambient = await here.say('the second run passed on my machine', { by: 'bob' });
      const sent = await session.tool('chat.send_message', reply(here.target, ambient, 'Great!'));
      expectThat(!sent.ok && sent.message !== '', 'a refusal with a reason', sent);
      const said = await here.said();
      expectThat(said.length === 0, 'nothing shown', said);
    },
  },
  {
    id: 'act/answer-settles',
    title: 'What was answered does not come again',
    needs: ['events'],
    async run(bench) {
      const [session, here] = [await bench.open(), bench.room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await session.done('chat.send_message', reply(here.target, id, 'It is not blocked.'));
      await here.said();
      await staysSettled(bench, here, session, id);
    },
  },
  {
    id: 'act/one-answer-after-refusal',
    title: 'After a post that the platform refused another answer is shown, and nothing is asked again',
    needs: ['events'],
    async run(bench) {
      const [session, here] = [await bench.open(), bench.room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      const send = reply(here.target, id, 'It is not, and here is why at length.');
      await session.done('chat.send_message', send);
      const refused = await here.refuse('msg_too_long');
      expectThat(refused.length === 1, 'one message to be shown', refused);
      const again = { idempotencyKey: `${id}-again` };
      await session.done('chat.send_message', reply(here.target, id, 'It is not.', again));
      const said = await here.said();
      expectThat(said.length === 1 && said[0] === 'It is not.', 'only the other answer shown', said);
      await staysSettled(bench, here, session, id);
    },
  },
  {
    id: 'act/signal-settles',
    title: 'A signal such as done settles what it is about',
    needs: ['events'],
    async run(bench) {
      const [session, here] = [await bench.open(), bench.room()];
      const id = await here.ask('please restart the build');
      await session.delivered(id);
      await session.done('chat.react', { inReplyTo: id, signal: 'done' });
      await staysSettled(bench, here, session, id);
    },
  },
  {
    id: 'act/read-thread',
    title: 'A conversation can be read; what one may not see is not found',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      const { events } = await session.done('chat.read_thread', { inReplyTo: id });
      const read = JSON.stringify(events ?? []);
      expectThat(read.includes('is the deploy blocked?'), 'the words that were said', events);
      const unknown = await session.tool('chat.read_thread', { inReplyTo: `${id}-nobody-said-this` });
      expectThat(!unknown.ok, 'a refusal for an event that does not exist', unknown);
    },
  },
  {
    id: 'act/pages',
    title: 'Lists come in pages that do not overlap',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const ids = [await here.ask('one?'), await here.ask('two?'), await here.ask('three?')];
      await session.delivered(ids[2] ?? '');
      const seen: unknown[] = [];
      let cursor: unknown;
      for (let page = 0; page < 10; page++) {
        const from = typeof cursor === 'string' ? { cursor } : {};
        const { events, nextCursor } = await session.done('chat.list_events', {
          target: here.target,
          limit: 1,
          ...from,
        });
        seen.push(...((events ?? []) as { eventId?: unknown }[]).map(({ eventId }) => eventId));
        cursor = nextCursor;
        if (cursor === undefined) break;
      }
      const right = ids.every((id) => seen.filter((one) => one === id).length === 1);
      expectThat(right, `each of ${ids.join()} once`, seen);
    },
  },
  {
    id: 'act/claim-and-release',
    title: 'A claim is granted with a token, and given back',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      const claim = await session.done('chat.claim', { inReplyTo: id });
      expectThat(claim['token'] !== undefined, 'a claim with a token', claim);
      await session.done('chat.claim', { inReplyTo: id, op: 'release' });
    },
  },
  {
    id: 'act/silence-is-asked-again',
    title: 'A turn that says nothing to what must be answered is asked once more, under an id of its own',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await session.request('turn/started', { turnId: `${id}-turn`, eventIds: [id] });
      await session.request('turn/ended', { turnId: `${id}-turn`, outcome: 'silent' });
      const { event } = await session.next((one) => one['refersTo'] === id, `a reminder of ${id}`);
      expectThat(event.eventId !== id, 'another eventId, since harnesses drop repeats', event.eventId);
      await session.tool('chat.react', { inReplyTo: event.eventId, signal: 'done' });
    },
  },
  {
    id: 'act/ended-turn-is-fenced',
    title: 'What a turn sends after its end is refused',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      const turnId = `${id}-turn`;
      await session.request('turn/started', { turnId, eventIds: [id] });
      await session.request('turn/ended', { turnId, outcome: 'cancelled' });
      const late = await session.tool('chat.send_message', reply(here.target, id, 'Too late.', { turnId }));
      expectThat(!late.ok, 'a refusal', late);
      const said = await here.said();
      expectThat(said.length === 0, 'nothing shown', said);
      await session.tool('chat.react', { inReplyTo: id, signal: 'done' });
    },
  },
  {
    id: 'act/delete-withdraws',
    title: 'A deleted message is withdrawn out loud',
    needs: ['events', 'push'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await here.remove(id);
      const told = await session.note(
        ({ method, params }) => method === 'notifications/cancelled' && params['eventId'] === id,
      );
      expectThat(told, `notifications/cancelled for ${id}`, session.notes);
    },
  },
  {
    id: 'act/deleted-is-not-answered',
    title: 'An answer to a deleted message is refused',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await here.remove(id);
      const late = await session.tool('chat.send_message', reply(here.target, id, 'It is not.'));
      expectThat(!late.ok, 'a refusal', late);
      const said = await here.said();
      expectThat(said.length === 0, 'nothing shown', said);
    },
  },
  {
    id: 'act/edit-comes-through',
    title: 'An edit before the answer brings the new words',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      await session.delivered(id);
      await here.edit(id, 'is the build blocked?');
      const { event } = await session.next(
        (one) => deliveredText(one).includes('is the build blocked?'),
        'the edited words',
      );
      await session.tool('chat.react', { inReplyTo: event.eventId, signal: 'done' });
    },
  },
];
