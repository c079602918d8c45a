// What the scorer learns from: for every participant in turn as the agent, the features of each line without an explicit
// sign, as the real fold gives them. That is more than it is asked about: the lines that are never left to it teach as
// well, and are only counted. So is whatever an explicit sign decides.
import { type Roster, attend, emptyState, rosterFor } from '../../src/attention/index.ts';
import { guardOf } from '../../src/attention/agent-talk.ts';
import { decide } from '../../src/attention/decide.ts';
import type { RungId } from '../../src/attention/directedness.ts';
import { readMessage } from '../../src/attention/heard.ts';
import { FEATURE_COUNT } from '../../src/attention/scorer/feature-names.ts';
import { type LabelledRoom, eventsOf, isFor, playersIn, settingsFor } from '../labelled-rooms.ts';

export interface Counts {
  tp: number;
  fp: number;
  fn: number;
}

export interface TrainingRows {
  count: number;
  /** Row after row, each with all features. */
  values: Int8Array;
  labels: Uint8Array;
  /** What the exchange rule says of it. */
  rule: Uint8Array;
  /** Whether the scorer is asked about it. */
  asked: Uint8Array;
  /** The room of each row. */
  rooms: Int32Array;
  /** What explicit signs decide, by room. */
  fixed: Counts[];
}

/** `version`: the rules by which lines are left to the scorer. */
export function rowsOf(rooms: readonly LabelledRoom[], version: number): TrainingRows {
  let values = new Int8Array(FEATURE_COUNT * 4_096);
  const labels: number[] = [];
  const rule: number[] = [];
  const asked: number[] = [];
  const of: number[] = [];
  const fixed = rooms.map((room, index) => {
    const counts = { tp: 0, fp: 0, fn: 0 };
    for (const me of playersIn(room)) {
      for (const { features, label, byRule, isAsked } of linesOf(room, me, version)) {
        if (features === undefined) {
          count(counts, byRule, label);
          continue;
        }
        const start = labels.length * FEATURE_COUNT;
        if (start + FEATURE_COUNT > values.length) values = grown(values);
        values.set(features, start);
        labels.push(label ? 1 : 0);
        rule.push(byRule ? 1 : 0);
        asked.push(isAsked ? 1 : 0);
        of.push(index);
      }
    }
    return counts;
  });
  return {
    count: labels.length,
    values: values.subarray(0, labels.length * FEATURE_COUNT),
    labels: Uint8Array.from(labels),
    rule: Uint8Array.from(rule),
    asked: Uint8Array.from(asked),
    rooms: Int32Array.from(of),
    fixed,
  };
}

function grown(values: Int8Array): Int8Array<ArrayBuffer> {
  const more = new Int8Array(values.length * 2);
  more.set(values);
  return more;
}

export function count(counts: Counts, forMe: boolean, label: boolean): void {
  if (forMe && label) counts.tp++;
  else if (forMe) counts.fp++;
  else if (label) counts.fn++;
}

interface TrainingLine {
  /** Undefined where an explicit sign decides, or nothing is known of the agent. */
  features: readonly number[] | undefined;
  label: boolean;
  /** Whether it is taken as addressed to the agent without the scorer. */
  byRule: boolean;
  isAsked: boolean;
}

/** Rows are folded with the first version, so that the same rooms give the same rows whatever was learned since. */
const FOLDED_WITH = 1;

export function* linesOf(room: LabelledRoom, me: string, version: number): Generator<TrainingLine> {
  const conversation = { id: 'room', kind: 'channel' as const };
  const roster = rosterFor(settingsFor(me, 'default'), { platform: 'irc', workspaceId: 'w', conversation });
  const events = eventsOf(room, me);
  let state = emptyState();
  for (const [index, row] of room.entries()) {
    const event = events[index];
    if (event === undefined) break;
    const at = Math.max(state.at, row.t * 1_000);
    const record = { kind: 'event' as const, seq: index + 1, at, event, facts: { scorer: FOLDED_WITH } };
    if (row.ann === 1 && row.author !== me) {
      yield { ...weighedLine({ ...state, at }, record, roster, version), label: isFor(row, me) };
    }
    state = attend(state, record, roster).state;
  }
}

/** Rungs that look at what the message itself says or carries, and the end of a message. */
const NOT_WEIGHED: ReadonlySet<RungId> = new Set([
  'self',
  'obligation',
  'left',
  'direct_message',
  'mention',
  'reply',
  'assignment',
  'fragment',
  'name',
  'role_mention',
  'addressed_elsewhere',
  'agent_no_task',
]);

/** Decides as `attend` does without the scorer, and notes whether it would be asked. */
function weighedLine(
  state: ReturnType<typeof emptyState>,
  record: Parameters<typeof readMessage>[1] & { event: { type: 'message' } },
  roster: Roster,
  version: number,
): Omit<TrainingLine, 'label'> {
  const [agent] = roster.agents;
  if (agent === undefined) throw new Error('one agent is played');
  const heard = readMessage(state, record, record.event, roster);
  let isAsked = false;
  const asking = { ...heard, record: { ...record, facts: { scorer: version } } };
  const { directedness, trace } = decide(
    {
      ...asking,
      judge: () => {
        isAsked = true;
        return undefined;
      },
    },
    agent,
    guardOf(heard),
  );
  const isWeighed = !NOT_WEIGHED.has(trace.rung as RungId);
  const features = isWeighed ? heard.judge?.(agent)?.features : undefined;
  return { features, byRule: directedness === 'to_me', isAsked };
}
