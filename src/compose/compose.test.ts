import { describe, expect, test } from 'vitest';
import { compose, initialCompose, wakeAt } from './index.ts';
import type { ComposeInput, ComposeOptions, ComposeOutput, ComposeState, FragmentInput } from './index.ts';

const said = (at: number, eventId: string, rest: Partial<FragmentInput> = {}): FragmentInput => ({
  type: 'fragment',
  eventId,
  author: 'human:U1',
  at,
  chars: 20,
  addressee: 'agent:lead',
  mode: 'buffered',
  ...rest,
});
const typing = (at: number, on = true, author = 'human:U1'): ComposeInput => ({
  type: 'typing',
  author,
  typing: on,
  at,
});
const edit = (at: number, eventId: string, text: string): ComposeInput => ({
  type: 'edit',
  eventId,
  text,
  chars: text.length,
  at,
});
const del = (at: number, eventId: string): ComposeInput => ({ type: 'delete', eventId, at });
const ended = (at: number, turn?: number): ComposeInput => ({
  type: 'turn_ended',
  at,
  ...(turn === undefined ? {} : { turn }),
});
const started = (at: number, turn?: number): ComposeInput => ({
  type: 'turn_started',
  at,
  ...(turn === undefined ? {} : { turn }),
});
const sent = (at: number, turn?: number): ComposeInput => ({
  type: 'sent',
  at,
  ...(turn === undefined ? {} : { turn }),
});

/** Folds the inputs with ticks at `wakeAt` between and after them; every output with the time it came out. */
function play(inputs: readonly ComposeInput[], options: Partial<ComposeOptions> = {}, until = Infinity) {
  let state: ComposeState = initialCompose();
  const out: (ComposeOutput & { at: number })[] = [];
  const feed = (input: ComposeInput) => {
    const result = compose(state, input, options);
    state = result.state;
    out.push(...result.outputs.map((o) => ({ ...o, at: input.at })));
  };
  const tickUntil = (end: number) => {
    for (let at = wakeAt(state, options); at !== null && at <= end; at = wakeAt(state, options))
      feed({ type: 'tick', at });
  };
  for (const input of inputs) {
    tickUntil(input.at - 1);
    feed(input);
  }
  tickUntil(until);
  return { out, state, brief: out.map(brief) };
}

function brief(o: ComposeOutput & { at: number }): string {
  return `${o.type} ${o.eventIds.join('+')} @${o.at}`;
}

const line = (eventId: string, at: number, author = 'human:U1') => ({ eventId, at, author, chars: 9 });

describe('the wait', () => {
  test('2 s after the latest fragment, in one turn and in order [C2A-06-02/buffered/one-turn, C2A-06-02/buffered/waits-2-to-5-seconds, C2A-06-24/buffered/waits-2-to-5-seconds]', () => {
    expect(play([said(0, 'a'), said(1_500, 'b'), said(3_000, 'c')]).brief).toEqual(['inject a+b+c @5000']);
  });
  test('the five fragments of the drafts’ example are one turn [C2A-06-02/buffered/pieces-example, C2A-06-24/buffered/pieces-example, C2A-06-02/edits/fragments-merge, C2A-06-24/edits/fragments-merge]', () => {
    const pieces = ['when someone types', 'in', 'pieces', 'like this', 'the agent should wait'];
    const typed = pieces.map((text, n) => said(n * 1_800, text, { chars: text.length }));
    expect(play(typed).out).toMatchObject([{ type: 'inject', eventIds: pieces, at: 4 * 1_800 + 2_000 }]);
  });
  test('fragments of a DM, all addressed, and of a mention, whose lead-in was not, are one turn alike [C2A-06-02/minimal/5-human-turns]', () => {
    const pieces = ['hey', 'is the deploy', 'blocked?'];
    const dm = pieces.map((text, n) => said(n * 1_000, text));
    const mention = [said(1_000, 'is the deploy', { leadIn: [line('hey', 0)] }), said(2_000, 'blocked?')];
    for (const inputs of [dm, mention])
      expect(play(inputs).brief).toEqual([`inject ${pieces.join('+')} @4000`]);
  });
  test('two DMs under 100 ms apart become one turn', () => {
    expect(play([said(0, 'a'), said(90, 'b')]).brief).toEqual(['inject a+b @2090']);
  });
  test('typing known: until it stops [C2A-06-02/buffered/waits-for-typing, C2A-06-24/buffered/waits-for-typing]', () => {
    expect(play([said(0, 'a'), typing(500), typing(5_000, false)]).brief).toEqual(['inject a @5000']);
    expect(play([said(0, 'a'), typing(500), said(6_000, 'b')]).brief).toEqual(['inject a+b @8000']);
  });
  test('a stop within the quiet time does not cut it short: a second DM may be on its way', () => {
    expect(play([said(0, 'a'), typing(10), typing(50, false), said(90, 'b')]).brief).toEqual([
      'inject a+b @2090',
    ]);
  });
  test('typing known: at most 8 s after the last sign', () => {
    expect(play([said(0, 'a'), typing(500)]).brief).toEqual(['inject a @8500']);
  });
  test('a sign from before the message was sent, or from somebody else, prolongs nothing', () => {
    expect(play([typing(0), said(100, 'a')]).brief).toEqual(['inject a @2100']);
    expect(play([said(0, 'a'), typing(500, true, 'human:U2')]).brief).toEqual(['inject a @2000']);
  });
  test('4 s when a fragment sits near the platform’s length limit: the second half of a long paste is not lost [C2A-06-02/buffered/waits-2-to-5-seconds, C2A-06-24/buffered/waits-2-to-5-seconds]', () => {
    const paste = [said(0, 'half-1', { chars: 1_990 }), said(3_500, 'half-2', { chars: 300 })];
    expect(play(paste, { platformLimitChars: 2_000 }).brief).toEqual(['inject half-1+half-2 @7500']);
  });
  test('steady typing cannot starve the turn: at most 30 s from the first fragment [C2A-06-02/buffered/merges-up-to-30-seconds, C2A-06-24/buffered/merges-up-to-30-seconds]', () => {
    const signs = Array.from({ length: 20 }, (_, n) => typing(1_000 + n * 3_000));
    expect(play([said(0, 'a'), ...signs]).brief).toEqual(['inject a @30000']);
    const lines = Array.from({ length: 40 }, (_, n) => said(n * 1_000, `f${n}`));
    const [first] = play(lines, { maxLateRestarts: 0 }).out;
    expect([first?.type, first?.at, first?.eventIds.length]).toEqual(['inject', 30_000, 31]);
  });
  test('approvals wait too: "yes" / "but wait for Bob"', () => {
    expect(play([said(0, 'yes', { chars: 3 }), said(1_900, 'but-wait-for-bob')]).brief).toEqual([
      'inject yes+but-wait-for-bob @3900',
    ]);
  });
  test('immediate skips the wait and takes the open window of the same author along', () => {
    expect(play([said(0, 'a'), said(500, 'stop', { mode: 'immediate' })]).brief).toEqual([
      'inject a+stop @500',
    ]);
  });
  test('the same event twice is one fragment', () => {
    expect(play([said(0, 'a'), said(100, 'a')]).brief).toEqual(['inject a @2000']);
  });
});

describe('what belongs together', () => {
  const other = { author: 'human:U2' };
  test('two conversations are never merged: each has a state of its own, and nothing is kept beside it [C2A-06-02/buffered/same-conversation-only]', () => {
    const [room, thread] = [said(0, 'in the room'), said(100, 'in the thread')].map(
      (fragment) => compose(initialCompose(), fragment).state,
    );
    const injected = [room, thread].map(
      (state) => compose(state ?? initialCompose(), { type: 'tick', at: 3_000 }).outputs,
    );
    expect(injected).toMatchObject([[{ eventIds: ['in the room'] }], [{ eventIds: ['in the thread'] }]]);
  });
  test('two authors are never merged: in order of first fragment, one turn at a time [C2A-06-02/buffered/same-author-only]', () => {
    const inputs = [said(0, 'a'), said(100, 'b', other), said(200, 'a2'), ended(9_000, 1)];
    expect(play(inputs).brief).toEqual(['inject b @2100', 'inject a+a2 @9000']);
    expect(play([said(0, 'a'), said(0, 'b', other), ended(9_000, 1)]).brief).toEqual([
      'inject a @2000',
      'inject b @9000',
    ]);
  });
  test('windows that wait for the end of a turn go in order of their first fragment', () => {
    const inputs = [
      said(0, 'x', { author: 'human:U3' }),
      said(3_000, 'a'),
      said(3_100, 'b', other),
      said(3_200, 'a2'),
    ];
    expect(play([...inputs, ended(9_000, 1), ended(9_500, 2)]).brief).toEqual([
      'inject x @2000',
      'inject a+a2 @9000',
      'inject b @9500',
    ]);
  });
  test('an urgent fragment of another author goes first when the turn ends', () => {
    const inputs = [
      said(0, 'x', { author: 'human:U3' }),
      said(3_000, 'a'),
      said(4_000, 'b', { ...other, mode: 'immediate' }),
    ];
    expect(play([...inputs, ended(9_000), ended(9_500)]).brief).toEqual([
      'inject x @2000',
      'inject b @9000',
      'inject a @9500',
    ]);
  });
  test('while it waits for a turn to end a window takes no fragment more than 30 s after its first', () => {
    const inputs = [said(0, 'x', other), said(3_000, 'a'), said(20_000, 'a2'), said(33_001, 'a3')];
    expect(play([...inputs, ended(50_000), sent(50_001), ended(50_002)]).brief).toEqual([
      'inject x @2000',
      'inject a+a2 @50000',
      'inject a3 @50002',
    ]);
  });
  test('an urgent fragment hastens all its author said before, in order', () => {
    const inputs = [
      said(0, 'x', other),
      said(3_000, 'y', { author: 'human:U3' }),
      said(3_001, 'a'),
      said(3_002, 'a2'),
    ];
    const urgent = said(3_003, 'a3', { mode: 'immediate' });
    const ends = [ended(5_000), ended(5_001), ended(5_002), ended(5_003)];
    expect(play([...inputs, urgent, ...ends], { maxFragments: 1 }).brief).toEqual([
      'inject x @2000',
      'inject a @5000',
      'inject a2 @5001',
      'inject a3 @5002',
      'inject y @5003',
    ]);
  });
  test('another addressee is another turn', () => {
    const inputs = [said(0, 'a'), said(100, 'b', { addressee: 'role:backend' }), ended(5_000)];
    expect(play(inputs).brief).toEqual(['inject a @2000', 'inject b @5000']);
  });
  test('a derived delivery is a turn of its own and keeps its refersTo', () => {
    const { out } = play([said(0, 'a'), said(100, 'q/return-1', { refersTo: 'q' }), ended(5_000)]);
    expect(out.map((o) => [o.eventIds, o.type === 'inject' ? o.refersTo : null])).toEqual([
      [['a'], undefined],
      [['q/return-1'], 'q'],
    ]);
  });
  test('ambient lines of the same author in the previous 30 s join as current', () => {
    const leadIn = [
      line('old', 9_999),
      line('near', 35_000),
      line('nearer', 39_000),
      line('foreign', 39_500, 'human:U2'),
    ];
    const { out } = play([said(40_000, 'lead?', { leadIn })]);
    expect(out).toMatchObject([
      { type: 'inject', eventIds: ['near', 'nearer', 'lead?'], leadIn: ['near', 'nearer'] },
    ]);
  });
  test('lead-in alone is not injected', () => {
    const leadIn = [{ eventId: 'line', at: 0, author: 'human:U1', chars: 9 }];
    const result = play([said(100, 'a', { leadIn }), del(200, 'a')]);
    expect(result.brief).toEqual(['supersede a @200']);
    expect(result.state.windows).toEqual([]);
  });
});

describe('while a turn runs', () => {
  test('a fragment with nothing sent: cancelled and restarted merged', () => {
    const { out, brief: lines } = play([said(0, 'a'), started(2_000, 1), said(3_000, 'b')]);
    expect(lines).toEqual(['inject a @2000', 'cancel_and_restart a+b @3000']);
    expect(out[1]).toMatchObject({ cancels: 1, turn: 2 });
  });
  test('a fragment after something was sent: a turn of its own', () => {
    expect(play([said(0, 'a'), sent(2_500, 1), said(3_000, 'b'), ended(4_000, 1)]).brief).toEqual([
      'inject a @2000',
      'inject b @5000',
    ]);
  });
  test('the end of the cancelled turn is not the end of the restarted one', () => {
    const inputs = [
      said(0, 'a'),
      said(3_000, 'b'),
      ended(3_100, 1),
      said(3_200, 'x', { author: 'human:U2' }),
    ];
    expect(play(inputs).brief).toEqual(['inject a @2000', 'cancel_and_restart a+b @3000']);
    expect(play([...inputs, ended(9_000, 2)]).brief.slice(2)).toEqual(['inject x @9000']);
  });
  test('the cancelled turn had sent after all: the restart is taken back, the fragment is a turn of its own', () => {
    const inputs = [said(0, 'a'), started(2_000, 1), said(3_000, 'b'), sent(3_050, 1)];
    expect(play(inputs).brief.slice(2)).toEqual(['cancel a+b @3050', 'inject b @3050']);
    const edited = [said(0, 'a'), started(2_000, 1), edit(3_000, 'a', 'A'), sent(3_050, 1)];
    expect(play(edited).brief.slice(2)).toEqual(['cancel a @3050', 'late_edit a @3050']);
    // Once the restart is known to run, the old turn has nothing more to say.
    expect(play([...inputs.slice(0, 3), started(3_020, 2), sent(3_050, 1)]).brief).toHaveLength(2);
  });
  test('restarts cannot starve the turn either: free for 30 s, then a bounded number', () => {
    const lines = Array.from({ length: 12 }, (_, n) => said(n * 5_000, `f${n}`));
    const { out } = play(lines);
    expect(out.filter((o) => o.type === 'cancel_and_restart').map((o) => o.at)).toEqual([
      5_000, 10_000, 15_000, 20_000, 25_000, 30_000, 35_000, 40_000, 45_000,
    ]);
    expect(play([...lines, ended(60_000)]).brief.at(-1)).toBe('inject f10+f11 @60000');
  });
  test('a turn that is full takes no more; what follows keeps its order', () => {
    const inputs = [
      said(0, 'a'),
      said(1, 'b'),
      said(3_000, 'c'),
      del(3_100, 'a'),
      said(3_200, 'd'),
      ended(9_000),
    ];
    expect(play(inputs, { maxFragments: 2 }).brief).toEqual([
      'inject a+b @2001',
      'supersede a @3100',
      'cancel_and_restart b @3100',
      'inject c+d @9000',
    ]);
  });
  test('two restarts before either began: the turn that may have sent is the oldest', () => {
    const inputs = [said(0, 'a'), started(2_000, 1), said(3_000, 'b'), said(3_010, 'c'), sent(3_050, 1)];
    expect(play(inputs).brief.slice(-2)).toEqual(['cancel a+b+c @3050', 'inject b+c @3050']);
  });
  test('a turn that was not composed here is waited for as well', () => {
    expect(play([started(0), said(100, 'a'), ended(9_000)]).brief).toEqual(['inject a @9000']);
  });
});

describe('edits and deletes', () => {
  test('edit before injection: the edit is injected [C2A-06-02/buffered/injects-the-edit, C2A-06-02/edits/before-injection, C2A-06-24/edits/before-response]', () => {
    const { out } = play([said(0, 'a'), edit(1_000, 'a', 'first'), edit(1_500, 'a', 'second')]);
    expect(out).toMatchObject([{ type: 'inject', at: 2_000, edited: [{ eventId: 'a', text: 'second' }] }]);
  });
  test('edit during a turn with nothing sent: cancel and restart [C2A-06-24/edits/before-response]', () => {
    const { out } = play([said(0, 'a'), edit(3_000, 'a', 'new')]);
    expect(out[1]).toMatchObject({
      type: 'cancel_and_restart',
      eventIds: ['a'],
      edited: [{ eventId: 'a', text: 'new' }],
    });
  });
  test('edit after something was sent: late, an event of its own; of an unknown event: nothing', () => {
    expect(
      play([said(0, 'a'), sent(2_500), edit(3_000, 'a', 'new'), edit(3_100, 'zzz', 'x')]).brief.slice(1),
    ).toEqual(['late_edit a @3000']);
  });
  test('delete before injection: superseded; with the last one gone nothing is injected', () => {
    expect(play([said(0, 'a'), said(100, 'b'), del(500, 'a')]).brief).toEqual([
      'supersede a @500',
      'inject b @2100',
    ]);
    expect(play([said(0, 'a'), del(500, 'a')]).brief).toEqual(['supersede a @500']);
  });
  test('delete during a turn with nothing sent: cancelled, restarted with what is left', () => {
    expect(play([said(0, 'a'), del(3_000, 'a')]).brief.slice(1)).toEqual([
      'supersede a @3000',
      'cancel a @3000',
    ]);
    expect(play([said(0, 'a'), said(1, 'b'), del(3_000, 'a')]).brief.slice(1)).toEqual([
      'supersede a @3000',
      'cancel_and_restart b @3000',
    ]);
  });
  test('delete after something was sent changes nothing', () => {
    expect(play([said(0, 'a'), sent(2_500), del(3_000, 'a')]).brief).toEqual(['inject a @2000']);
  });
  test('a derived delivery stays when the event it is about goes: the host withdraws each by its own id', () => {
    const inputs = [said(0, 'q'), said(0, 'q/return-1', { refersTo: 'q' }), del(500, 'q')];
    expect(play(inputs).brief).toEqual(['supersede q @500', 'inject q/return-1 @2000']);
  });
});

describe('limits', () => {
  test('max fragments: the full window is injected now, a new one begins, nothing is lost', () => {
    const inputs = [said(0, 'a'), said(1, 'b'), said(2, 'c'), ended(5_000, 1)];
    expect(play(inputs, { maxFragments: 2 }).brief).toEqual(['inject a+b @2', 'inject c @5000']);
  });
  test('lead-in never pushes the fragment itself out', () => {
    const leadIn = [1, 2, 3].map((n) => ({ eventId: `l${n}`, at: n, author: 'human:U1', chars: 1 }));
    expect(play([said(10, 'a', { leadIn })], { maxFragments: 2 }).brief).toEqual(['inject l3+a @2010']);
    expect(play([said(10, 'a', { leadIn })], { maxLeadIn: 0 }).brief).toEqual(['inject a @2010']);
  });
  test('max windows: the fragment is handed back, aloud', () => {
    const inputs = [said(0, 'a'), said(1, 'b', { author: 'human:U2' })];
    expect(play(inputs, { maxWindows: 1 }).brief).toEqual(['refused b @1', 'inject a @2000']);
  });
  test('a newer state is refused', () => {
    expect(() => compose({ ...initialCompose(), version: 2 }, { type: 'tick', at: 0 })).toThrow(/version 2/);
  });
});
