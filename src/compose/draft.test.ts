// A helper that changes its argument takes a draft: the type checker refuses it a stored state.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { amend, strike } from './amend.ts';
import {
  type ComposeDraft,
  type ComposeState,
  closeDraft,
  compose,
  initialCompose,
  openDraft,
  wakeAt,
} from './compose.ts';
import { COMPOSE_DEFAULTS } from './options.ts';
import { join, mergeIntoTurn, onSent, release, restart } from './turn.ts';

describe('a draft of the compose state', () => {
  it('is no stored state, and a stored state is no draft', () => {
    expectTypeOf<ComposeState>().not.toExtend<ComposeDraft>();
    expectTypeOf<ComposeDraft>().not.toExtend<ComposeState>();
  });

  it('is what every helper takes that changes its argument, and the fold takes a state', () => {
    expectTypeOf(amend).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(strike).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(join).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(release).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(restart).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(mergeIntoTurn).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(onSent).parameter(0).toEqualTypeOf<ComposeDraft>();
    expectTypeOf(compose).parameter(0).toEqualTypeOf<ComposeState>();
    expectTypeOf(wakeAt).parameter(0).toEqualTypeOf<ComposeState>();
  });

  it('leaves the state it was opened from as it was', () => {
    const before = Object.freeze(initialCompose());
    const draft = openDraft(before);
    const said = {
      type: 'fragment',
      eventId: 'e1',
      author: 'ada',
      at: 5,
      chars: 2,
      addressee: 'lead',
    } as const;
    expect(join(draft, { ...said, mode: 'buffered' }, COMPOSE_DEFAULTS)).toBe(true);
    expect(before).toEqual(initialCompose());
    expect(closeDraft(draft).windows).toHaveLength(1);
  });
});
