// A helper that changes its argument takes a draft. The type checker refuses it a stored state, and a pure helper a
// draft.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { attend } from './attend.ts';
import { endClaim, expireClaims } from './claims.ts';
import { converse, endExchanges, grantCredit, noteAsk, noteSpeaker, spendCredit } from './participants.ts';
import { noteAnswer, noteTyping, openWindow, remember, updateRecent } from './recent.ts';
import { type AttentionDraft, type AttentionState, closeDraft, emptyState, openDraft } from './state.ts';

describe('a draft of the attention state', () => {
  it('is no stored state, and a stored state is no draft', () => {
    expectTypeOf<AttentionState>().not.toExtend<AttentionDraft>();
    expectTypeOf<AttentionDraft>().not.toExtend<AttentionState>();
    // A copy made by hand is still a state: only openDraft makes a draft.
    const copy = { ...emptyState() };
    expectTypeOf(copy).not.toExtend<AttentionDraft>();
  });

  it('is what every helper takes that changes its argument', () => {
    expectTypeOf(noteSpeaker).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(converse).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(openWindow).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(remember).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(noteAnswer).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(noteAsk).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(endClaim).parameter(0).toEqualTypeOf<AttentionDraft>();
    expectTypeOf(grantCredit).parameter(0).toEqualTypeOf<AttentionDraft>();
  });

  it('is what no pure helper takes', () => {
    expectTypeOf(attend).parameter(0).toEqualTypeOf<AttentionState>();
    expectTypeOf(endExchanges).parameter(0).toEqualTypeOf<AttentionState>();
    expectTypeOf(updateRecent).parameter(0).toEqualTypeOf<AttentionState>();
    expectTypeOf(noteTyping).parameter(0).toEqualTypeOf<AttentionState>();
    expectTypeOf(expireClaims).parameter(0).toEqualTypeOf<AttentionState>();
    expectTypeOf(spendCredit).parameter(0).toEqualTypeOf<AttentionState>();
  });

  it('leaves the state it was opened from as it was', () => {
    const before = Object.freeze(emptyState());
    const draft = openDraft(before);
    noteSpeaker(draft, { key: 'ada', kind: 'human', displayName: 'Ada' }, 1_000);
    noteSpeaker(draft, { key: 'bob', kind: 'human', displayName: 'Bob' }, 2_000);
    converse(draft, 'bob', 'ada', 2_000, false);
    const after = closeDraft(draft);
    expect(before).toEqual(emptyState());
    expect(after).toMatchObject({ n: 2, last: 'bob' });
    expect(after.speakers.map(({ key, partner }) => [key, partner])).toEqual([
      ['bob', 'ada'],
      ['ada', 'bob'],
    ]);
  });
});
