// Whom a line of the played agent answers, as labelled chat says it: the line, or only the person, who may have said
// nothing yet.
import { expect, it } from 'vitest';
import { type AddresseeRow, PLAYED, eventsOf } from './labelled-rooms.ts';

type Said = [author: string, text: string, addressee: string | null, replyTo: number | null];

const room = (...said: Said[]): AddresseeRow[] =>
  said.map(([author, text, addressee, replyTo], i) => {
    return { session: 's', i, t: 1_750_000_001 + 10 * i, author, text, addressee, replyTo, ann: 1 };
  });

it('a line of the agent answers the labelled line, else the last line of the labelled person, else it mentions them', () => {
  const events = eventsOf(
    room(
      ['ann', 'does it work?', 'lead', null],
      ['ann', 'on staging, I mean', 'lead', null],
      ['lead', 'it does', 'ann', 0],
      ['lead', 'on staging too', 'ann', null],
      ['lead', 'welcome', 'ben', null],
      ['ann', 'lead: thanks', 'lead', null],
    ),
    'lead',
  );
  expect(events.map(({ inReplyTo, mentions }) => inReplyTo ?? mentions?.[0])).toEqual([
    undefined,
    undefined,
    'e0',
    'e1',
    { kind: 'human', id: 'ben' },
    { kind: 'agent', id: PLAYED },
  ]);
});
