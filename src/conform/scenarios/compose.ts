// Composing for a harness that does not: what one author types in pieces is one event, nobody waits for somebody else,
// and what happens to a piece before it is handed over counts.
import { expectThat, type Bench, type Scenario } from '../scenario.ts';
import type { Handed, TestSession } from '../session.ts';
import { deliveredText } from './deliver.ts';

/** The drafts' own example. */
const PIECES = ['when someone types', 'in', 'pieces', 'like this', 'the agent should wait'];
const COMPOSED = { injection: { immediate: true, buffered: false, notify: true, tool_mailbox: true } };

/** Posts the pieces at once, the first with a mention, and returns their ids. */
async function typeInPieces(
  room: ReturnType<Bench['room']>,
  agent: string,
  pieces: readonly string[],
): Promise<string[]> {
  const events = pieces.map((text, index) =>
    index === 0
      ? room.event({ text: `@${agent} ${text}`, mentions: [{ kind: 'agent', id: agent }] })
      : room.event({ text }),
  );
  const answers = await room.post(...events);
  const stored = answers.every(({ status }) => status === 'accepted');
  expectThat(stored, 'every piece to be stored', answers);
  return events.map(({ eventId }) => eventId);
}

/** The first event with these words, and how many events have any of the words. */
async function withWords(
  session: TestSession,
  room: ReturnType<Bench['room']>,
  words: string,
): Promise<{ event: Handed; before: readonly Handed[]; after: readonly Handed[] }> {
  const { event, before } = await session.next((one) => deliveredText(one).includes(words), `"${words}"`);
  const barrier = await room.ask('are you there?', { by: 'zoe' });
  const { before: after } = await session.delivered(barrier);
  return { event, before, after };
}

export const COMPOSE: readonly Scenario[] = [
  {
    id: 'compose/pieces-are-one-turn',
    title: 'What one author types in pieces is one event with all the words',
    needs: ['events'],
    async run({ open, room, agent }) {
      const [session, here] = [await open({ capabilities: COMPOSED }), room()];
      const ids = await typeInPieces(here, agent, PIECES);
      const { event, before, after } = await withWords(session, here, PIECES[4] ?? '');
      const lines = deliveredText(event);
      expectThat(
        PIECES.every((piece) => lines.includes(piece)),
        'one event with all five pieces',
        [...before, event].map(deliveredText),
      );
      const more = [...before, ...after].filter(({ eventId }) => ids.includes(eventId));
      expectThat(more.length === 0, 'no further event about a piece', more.map(deliveredText));
    },
  },
  {
    id: 'compose/nobody-waits-for-another',
    title: 'A second author just after the first is handed over as soon as the first',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open({ capabilities: COMPOSED }), room()];
      const first = await here.ask('is the deploy blocked?', { by: 'first-author' });
      const second = await here.ask('who is on call?', { by: 'second-author' });
      await session.delivered(first);
      await session.delivered(second);
    },
  },
  {
    id: 'compose/edits-count',
    title: 'A piece that is edited or deleted before it is handed over is read as it is then',
    needs: ['events'],
    async run({ open, room, agent }) {
      const [session, here] = [await open({ capabilities: COMPOSED }), room()];
      const [first = '', second = ''] = await typeInPieces(here, agent, [
        'check staging',
        'the password is swordfish',
        'and tell me please',
      ]);
      await here.edit(first, 'check production');
      await here.remove(second);
      const { event } = await withWords(session, here, 'and tell me please');
      const words = deliveredText(event);
      const right = words.includes('check production') && !words.includes('staging');
      expectThat(right && !words.includes('swordfish'), 'the pieces as they are now', words);
    },
  },
  {
    id: 'compose/own',
    title: 'A harness that composes by itself gets every piece',
    needs: ['events'],
    async run({ open, room, agent }) {
      const [session, here] = [await open(), room()];
      const ids = await typeInPieces(here, agent, PIECES.slice(0, 2));
      for (const id of ids) await session.delivered(id);
    },
  },
];
