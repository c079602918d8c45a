// What must hold for any sequence of inputs: nothing lost, nothing twice, no two authors in one turn, nobody starved,
// and a state that can be cut anywhere. Ticks come exactly at `wakeAt`, as the caller's one timer sends them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COMPOSE_DEFAULTS, compose, initialCompose, wakeAt } from './index.ts';
import type { ComposeInput, ComposeOptions, ComposeOutput, ComposeState, FragmentInput } from './index.ts';

const OPTIONS: Partial<ComposeOptions> = { maxFragments: 5, platformLimitChars: 100 };
const AUTHORS = ['human:U1', 'human:U2', 'agent:peer'];

type Make = (at: number, n: number) => ComposeInput;
const author = fc.constantFrom(...AUTHORS);
const fragment: fc.Arbitrary<Make> = fc
  .record({
    author,
    chars: fc.constantFrom(10, 95),
    addressee: fc.constantFrom('agent:lead', 'role:ops'),
    mode: fc.constantFrom('buffered' as const, 'buffered' as const, 'immediate' as const),
    rhythm: fc.constantFrom({}, { goesOnMs: 0 }, { goesOnMs: 12_000 }, { goesOnMs: 30_000 }),
  })
  .map(({ rhythm, ...rest }) => ({ ...rest, ...rhythm }))
  .map((given) => (at, n) => ({ type: 'fragment', eventId: `f${n}`, at, ...given }));
/** Aims at one of the last fragments. */
const back = fc.integer({ min: 1, max: 6 });
const step = fc.record({
  gap: fc.oneof(fc.nat(100), fc.nat(3_000), fc.nat(40_000)),
  make: fc.oneof(
    { weight: 6, arbitrary: fragment },
    {
      weight: 3,
      arbitrary: fc.tuple(author, fc.boolean()).map(
        ([who, on]): Make =>
          (at) => ({ type: 'typing', author: who, typing: on, at }),
      ),
    },
    {
      weight: 1,
      arbitrary: back.map(
        (b): Make =>
          (at, n) => ({ type: 'edit', eventId: `f${n - b}`, text: 'new', chars: 3, at }),
      ),
    },
    {
      weight: 1,
      arbitrary: back.map(
        (b): Make =>
          (at, n) => ({ type: 'delete', eventId: `f${n - b}`, at }),
      ),
    },
    { weight: 1, arbitrary: fc.constant<Make>((at) => ({ type: 'sent', at })) },
    { weight: 1, arbitrary: fc.constant<Make>((at) => ({ type: 'turn_started', at })) },
    { weight: 3, arbitrary: fc.constant<Make>((at) => ({ type: 'turn_ended', at })) },
  ),
});
// `size: 'max'`: by default fast-check keeps arrays at about four elements, which reach nothing interesting here.
const trace = fc.array(step, { maxLength: 60, size: 'max' });
/** Somebody who hardly stops typing: the case in which a window is tempted to wait for ever. */
const steady = fc.array(
  fc.record({
    gap: fc.nat(7_000),
    make: fc.oneof(
      { weight: 2, arbitrary: fragment },
      {
        weight: 8,
        arbitrary: author.map(
          (who): Make =>
            (at) => ({ type: 'typing', author: who, typing: true, at }),
        ),
      },
    ),
  }),
  { maxLength: 60, size: 'max' },
);
type Steps = readonly { gap: number; make: Make }[];

interface Played {
  inputs: ComposeInput[];
  outputs: (ComposeOutput & { at: number })[];
  state: ComposeState;
}

/** `store` stands for whatever happens to the state between two inputs. At the end every turn ends, one by one. */
function play(
  steps: Steps,
  store: (state: ComposeState) => ComposeState = (s) => s,
  endTurns = false,
): Played {
  const played: Played = { inputs: [], outputs: [], state: initialCompose() };
  const feed = (input: ComposeInput): void => {
    const { state, outputs } = compose(store(played.state), input, OPTIONS);
    played.state = state;
    played.inputs.push(input);
    played.outputs.push(...outputs.map((o) => ({ ...o, at: input.at })));
    const begun = outputs.some((o) => o.type === 'inject');
    if (begun && endTurns) feed({ type: 'turn_ended', at: input.at });
  };
  const tickUntil = (end: number): void => {
    for (
      let at = wakeAt(played.state, OPTIONS);
      at !== null && at <= end;
      at = wakeAt(played.state, OPTIONS)
    ) {
      feed({ type: 'tick', at });
    }
  };
  let now = 0;
  steps.forEach(({ gap, make }, n) => {
    now += gap;
    tickUntil(now - 1);
    feed(make(now, n));
  });
  for (let n = 0; n <= steps.length; n++) {
    tickUntil(Infinity);
    feed({ type: 'turn_ended', at: (now += 60_000) });
  }
  return played;
}

const isFragment = (input: ComposeInput): input is FragmentInput => input.type === 'fragment';

test('every fragment is in exactly one turn that was not cancelled, or superseded', () => {
  fc.assert(
    fc.property(trace, (steps) => {
      const { inputs, outputs, state } = play(steps);
      const turns = new Map<number, string[]>();
      const superseded = new Set<string>();
      for (const output of outputs) {
        if (output.type === 'inject') turns.set(output.turn, output.eventIds);
        if (output.type === 'cancel') turns.delete(output.turn);
        if (output.type === 'supersede') for (const id of output.eventIds) superseded.add(id);
        if (output.type !== 'cancel_and_restart') continue;
        expect(turns.delete(output.cancels)).toBe(true);
        turns.set(output.turn, output.eventIds);
      }
      const taken = [...turns.values()].flat();
      const ids = inputs.filter(isFragment).map((f) => f.eventId);
      expect(taken.concat([...superseded]).toSorted()).toEqual(ids.toSorted());
      expect(state).toEqual({ ...initialCompose(), turns: state.turns });
    }),
  );
});

test('never two authors, never two addressees in one turn [C2A-06-02/buffered/same-author-only]', () => {
  fc.assert(
    fc.property(trace, (steps) => {
      const { inputs, outputs } = play(steps);
      const byId = new Map(inputs.filter(isFragment).map((f) => [f.eventId, f]));
      for (const output of outputs) {
        if (output.type !== 'inject' && output.type !== 'cancel_and_restart') continue;
        for (const id of output.eventIds) {
          expect(byId.get(id)).toMatchObject({ author: output.author, addressee: output.addressee });
        }
        expect(output.eventIds.length).toBeLessThanOrEqual(OPTIONS.maxFragments ?? 0);
      }
    }),
  );
});

test('never later than 30 s after the first fragment, given ticks at wakeAt and turns that end [C2A-06-02/buffered/merges-up-to-30-seconds, C2A-06-24/buffered/merges-up-to-30-seconds]', () => {
  fc.assert(
    fc.property(steady, (steps) => {
      const { inputs, outputs } = play(steps, (s) => s, true);
      const saidAt = new Map(inputs.filter(isFragment).map((f) => [f.eventId, f.at]));
      for (const output of outputs) {
        if (output.type !== 'inject') continue;
        const first = Math.min(...output.eventIds.map((id) => saidAt.get(id) ?? 0));
        expect(output.at - first).toBeLessThanOrEqual(COMPOSE_DEFAULTS.maxWindowMs);
      }
    }),
  );
});

test('cut anywhere and resumed from JSON, the outputs are the same', () => {
  fc.assert(
    fc.property(trace, (steps) => {
      const resumed = play(steps, (state) => JSON.parse(JSON.stringify(state)));
      expect(resumed).toEqual(play(steps));
    }),
  );
});
