// Claims: who answers where several could. A claim is granted or refused by its answer, and whoever needs one is told.
import { expectThat, type Bench, type Scenario } from '../scenario.ts';

/** A claim as short as the scenarios can wait for. */
const SHORT_MS = 1_000;

/** Something that was said to nobody, with somebody else in the room. */
async function askNobody(room: ReturnType<Bench['room']>): Promise<string> {
  await room.say('hello bob', { by: 'ada' });
  return room.say('can somebody check the deploy?', { by: 'bob' });
}

const answer = (target: string, inReplyTo: string) => ({
  target,
  text: 'It is fine.',
  inReplyTo,
  visibility: 'channel',
  directedness: 'to_other',
  idempotencyKey: `${inReplyTo}-answer`,
});

export const CLAIM: readonly Scenario[] = [
  {
    id: 'claim/before-answer',
    title: 'An answer to nobody’s question is told to claim first, and is taken after the claim',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await askNobody(here);
      const early = await session.tool('chat.send_message', answer(here.target, id));
      expectThat(!early.ok && /chat[._]claim/.test(early.message), 'a refusal that names chat.claim', early);
      await session.done('chat.claim', { inReplyTo: id });
      await session.done('chat.send_message', answer(here.target, id));
      const said = await here.said();
      expectThat(said.join() === 'It is fine.', 'the answer, once', said);
    },
  },
  {
    id: 'claim/after-lapse',
    title: 'A claim after one that lapsed is granted, with a token and the message',
    needs: ['events'],
    async run({ open, room, rest }) {
      const [session, here] = [await open(), room()];
      const id = await askNobody(here);
      await session.done('chat.claim', { inReplyTo: id, ttlMs: SHORT_MS });
      await rest(SHORT_MS + 200);
      const again = await session.done('chat.claim', { inReplyTo: id });
      expectThat(again['status'] === 'claimed', 'status claimed', again);
      expectThat(again['token'] !== undefined, 'a token', again);
      const words = JSON.stringify(again['event'] ?? {});
      expectThat(words.includes('check the deploy'), 'the words of the message', again);
    },
  },
  {
    id: 'claim/not-for-others',
    title: 'What is for somebody else cannot be claimed, by a call or by a reaction',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      await here.say('hello bob', { by: 'ada' });
      const mentions = [{ kind: 'human', id: 'bob' }];
      const id = await here.say('@bob can you check the deploy?', { by: 'ada', mentions });
      const claimed = await session.tool('chat.claim', { inReplyTo: id });
      expectThat(!claimed.ok && claimed.message !== '', 'a refusal with a reason', claimed);
      const reacted = await session.tool('chat.react', { inReplyTo: id, signal: 'working' });
      expectThat(!reacted.ok, 'a refusal of the reaction too', reacted);
    },
  },
  {
    id: 'claim/by-reaction',
    title: 'A reaction that claims holds the claim when its call is answered',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await askNobody(here);
      await session.done('chat.react', { inReplyTo: id, signal: 'claimed' });
      // The glyph waits to be shown. The claim is there.
      await session.done('chat.claim', { inReplyTo: id, op: 'renew' });
      await session.done('chat.send_message', answer(here.target, id));
    },
  },
];
