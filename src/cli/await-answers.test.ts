// What `earshot say` waits for, where an agent may answer and need not: such an agent is in no state until it does something.
import { describe, expect, it } from 'vitest';
import type { WebMessage, WebState } from '../protocol/web-chat.ts';
import { VirtualClock } from '../runtime/clock.ts';
import { aTurn } from '../runtime/schedule.ts';
import { AnswerWatch, type AnswersHeard, type Held } from './await-answers.ts';
import type { WebNews } from './web-talk.ts';

const said = (eventId: string, by: string, kind: 'human' | 'agent'): WebMessage =>
  ({ eventId, conversation: 'general', author: { id: by, kind, name: by }, text: 'x', states: [] }) as never;
const answer: WebNews = { type: 'message', news: { message: said('e2', 'builder', 'agent') } as never };
const state = (name: WebState['state']): WebNews => ({
  type: 'state',
  news: { eventId: 'e1', states: [{ agent: 'builder', state: name }] } as never,
});

/** What was heard when the wait is over, and how long it took. `held`: what the host says each time it is asked. */
async function waited(held: readonly Held[], later: readonly [atMs: number, news: WebNews][]) {
  const clock = new VirtualClock();
  const answers: string[] = [];
  const watch = new AnswerWatch(clock, ({ eventId }) => void answers.push(eventId));
  let asked = 0;
  const heard: AnswersHeard[] = [];
  void watch
    .over(said('e1', 'ada', 'human'), 60_000, () => Promise.resolve(held[asked++] ?? held.at(-1) ?? 'nobody'))
    .then((over) => heard.push(over));
  for (const [atMs, news] of later) clock.after(atMs, () => watch.told(news));
  while (heard.length === 0) {
    clock.advance(100);
    await aTurn();
  }
  return { ...heard[0], answers, tookMs: clock.now() };
}

describe('waiting for those who may answer', () => {
  it('is over at once when nobody was asked', async () => {
    const over = await waited(['nobody'], []);
    expect(over).toMatchObject({ wasAsked: false, answers: [] });
    expect(over.tookMs).toBeLessThan(1_000);
  });

  it('goes on while somebody has the message', async () => {
    const over = await waited(['open', 'open', 'open', 'ended'], []);
    expect(over).toMatchObject({ wasAsked: true, isLate: false, answers: [] });
    expect(over.tookMs).toBeGreaterThan(2_000);
  });

  it('hears an answer that was given before the host was asked for the first time', async () => {
    const over = await waited(
      ['ended'],
      [
        [700, state('answered')],
        [800, answer],
      ],
    );
    expect(over).toMatchObject({ wasAsked: true, isLate: false, answers: ['e2'] });
  });
});
