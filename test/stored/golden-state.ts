// The check of stored attention state against its golden texts, as a function: the tests run it over today's codec and
// over codecs in which something was planted.
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type AttentionState, STATE_LIMITS, STATE_VERSION } from '../../src/attention/state.ts';

export interface Golden {
  name: string;
  /** To the byte. */
  stored: string;
  state: AttentionState;
}

export interface StateFormat {
  encodeState(state: AttentionState): string;
  decodeState(stored: string): AttentionState;
}

/** Words that are stored by code: every one of them must be in a golden state. */
export interface StoredWords {
  rungs: readonly string[];
  modes: readonly string[];
  kinds: readonly string[];
  causes: readonly string[];
  asks: readonly string[];
  notches: readonly string[];
}

/** Of every version that was ever stored. A new word is a new entry of its file; an entry never changes. */
export const GOLDEN_VERSIONS = [1, 2, 3, 4];

/** `state` is what the text is read as today. */
export function goldenOf(version: number): Golden[] {
  const path = new URL(`state-v${version}.json`, import.meta.url);
  const golden = JSON.parse(readFileSync(path, 'utf8')) as (Golden & { state: never })[];
  const read = READ_AS[version] ?? ((state: AttentionState) => state);
  return golden.map(({ name, stored, state }) => ({ name, stored, state: read(state) }));
}

interface Version1 {
  loop: { count: number; humanAt: number; turns: readonly { at: number }[] };
}

/** What an earlier version's state is read as. Version 1 watched the whole room, so no pair comes of it. */
const READ_AS: Readonly<Record<number, (state: never) => AttentionState>> = {
  1: (state: AttentionState & Version1) => {
    const { count, humanAt, turns } = state.loop;
    const peers = { count, humanAt, at: turns.map(({ at }) => at).slice(0, STATE_LIMITS.peerTurns) };
    return withoutScorer({ ...state, loop: { pairs: [], peers } });
  },
  2: withoutScorer,
  3: withoutDial,
};

/** Before version 3 nothing was remembered for the scorer. */
function withoutScorer(state: AttentionState): AttentionState {
  const speakers = state.speakers.map((speaker) => ({
    ...speaker,
    said: 0,
    called: 0,
    askedN: 0,
    words: '',
  }));
  return withoutDial({ ...state, speakers, lines: [], pace: 0 });
}

/** Before version 4 nobody moved the dial in the chat. */
function withoutDial(state: AttentionState): AttentionState {
  return { ...state, v: STATE_VERSION, agents: state.agents.map((agent) => ({ ...agent, dial: null })) };
}

/** Everything that is wrong, in words; nothing when every golden text means and is what it was. */
export function goldenProblems(format: StateFormat, words: StoredWords, newest: number): string[] {
  const problems: string[] = [];
  const tell = (name: string, problem: string): void => void problems.push(`${name}: ${problem}`);
  for (const version of GOLDEN_VERSIONS) {
    for (const { name, stored, state } of goldenOf(version)) {
      try {
        if (!isDeepStrictEqual(format.decodeState(stored), state)) tell(name, 'reads as something else');
        if (version === newest && format.encodeState(state) !== stored)
          tell(name, 'is written as something else');
      } catch (error) {
        tell(name, error instanceof Error ? error.message : String(error));
      }
    }
  }
  const shown = wordsShown(goldenOf(newest).map(({ state }) => state));
  for (const kind of ['rungs', 'modes', 'kinds', 'causes', 'asks', 'notches'] as const) {
    for (const word of words[kind])
      if (!shown[kind].has(word)) tell(word, `no golden state shows this of the ${kind}`);
  }
  return problems;
}

function wordsShown(states: readonly AttentionState[]): Record<keyof StoredWords, ReadonlySet<string>> {
  const addressed = states.flatMap(({ windows, recent }) =>
    [...windows, ...recent].flatMap((one) => one.addressed),
  );
  return {
    rungs: new Set(addressed.map(({ rung }) => rung)),
    modes: new Set(states.flatMap(({ agents }) => agents.map(({ mode }) => mode ?? ''))),
    kinds: new Set(states.flatMap(({ speakers }) => speakers.map(({ kind }) => kind))),
    causes: new Set(states.flatMap(({ loop }) => loop.pairs.map(({ stopped }) => stopped ?? ''))),
    asks: new Set(states.flatMap(({ loop }) => loop.pairs.map(({ ask }) => ask))),
    notches: new Set(states.flatMap(({ agents }) => agents.map(({ dial }) => dial?.notch ?? ''))),
  };
}
