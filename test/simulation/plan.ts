// A plan: everything that happens in one simulated world, as plain data drawn from one seed. Who is there, what people
// do, and what goes wrong. A failing plan is shrunk by leaving out steps and faults, so every entry stands for itself.
import { type Draw, between, drawFrom, pick } from './draw.ts';
import { type Fault, drawFaults } from './faults.ts';

export interface Plan {
  seed: number;
  cast: Cast;
  steps: readonly Step[];
  faults: readonly Fault[];
  /** When the faults end, ms from the start. Everything after it must settle. */
  chaosMs: number;
}

export interface Cast {
  agents: readonly string[];
  people: readonly string[];
  rooms: readonly Room[];
  /** Some sends wait until a person agrees. */
  asksPeople: boolean;
  /** The second platform does not take posts: its client asks for them. */
  pulls: boolean;
  /** This agent has no connection: it posts its calls and asks for events. */
  puller?: string;
  /** People attach files, and agents send some. */
  files?: boolean;
  /** People write secrets now and then. No agent may see one. */
  secrets?: boolean;
  /** Agents take their time with a claim, and claim what was offered to others. */
  races?: boolean;
}

export interface Room {
  id: string;
  kind: 'channel' | 'dm';
  /** `chat` answers posts, `desk` is a source that may pull. */
  platform: 'chat' | 'desk';
}

/** `at` is ms from the start. `id` names the step for good; later steps refer to it. */
export type Step = { id: number; at: number } & (
  | {
      type: 'say';
      by: string;
      room: string;
      /** An agent, or `@reviews`, the role. */
      calls?: string;
      asks: boolean;
      /** In a thread on this step. */
      thread?: number;
      replyTo?: number;
      chars?: number;
      file?: boolean;
      secret?: boolean;
      owed?: boolean;
    }
  | { type: 'typing'; by: string; room: string }
  | { type: 'edit'; of: number }
  | { type: 'delete'; of: number }
  | { type: 'react'; by: string; of: number; signal: 'agree' | 'declined' | 'seen' | 'done' }
  | { type: 'decide'; agrees: boolean }
);
export type Said = Extract<Step, { type: 'say' }>;

export const ROLE = 'reviews';
const AGENTS = ['lead', 'builder', 'reviewer', 'scout'];
const PEOPLE = ['ada', 'bob', 'cy'];
const ROOMS: readonly Room[] = [
  { id: 'general', kind: 'channel', platform: 'chat' },
  { id: 'ops', kind: 'channel', platform: 'desk' },
  { id: 'dm-ada', kind: 'dm', platform: 'chat' },
];
/** A world is small, so that a second holds many. What a small one cannot show, a larger one does: 1 in 25. */
const STEPS = { small: 14, large: 90 };
const LARGE_EVERY = 25;
const GAP_MS = 2_500;
/** How long an offer stays with one agent. */
export const OFFER_MS = 4_000;
/** The share of the worlds in which a question to a role is taken back. */
const TAKEN_BACK = 0.1;
/** The longest text that people paste costs as much as a whole small world, so most long ones are shorter. */
const LONG_CHARS = { paste: 60_000, long: 6_000 };

export function drawPlan(seed: number): Plan {
  const draw = drawFrom(seed);
  const isLarge = seed % LARGE_EVERY === 0;
  const agents = AGENTS.slice(0, between(2, AGENTS.length, draw('agents')));
  const cast: Cast = {
    agents,
    people: PEOPLE.slice(0, between(1, PEOPLE.length, draw('people'))),
    rooms: ROOMS.slice(0, between(1, ROOMS.length, draw('rooms'))),
    asksPeople: draw('asks people') < 0.3,
    pulls: draw('pulls') < 0.5,
    ...(draw('puller') < 0.2 ? { puller: pick(agents.slice(1), draw('which pulls')) } : {}),
    ...(draw('files') < 0.2 ? { files: true } : {}),
    ...(draw('secrets') < 0.1 ? { secrets: true } : {}),
    ...(draw('races') < 0.1 ? { races: true } : {}),
  };
  const count = between(4, isLarge ? STEPS.large : STEPS.small, draw('steps'));
  const steps: Step[] = [];
  let at = 0;
  for (let id = 1; id <= count; id++) {
    at += gapMs(draw, id);
    steps.push({ id, at, ...drawStep(draw, id, cast, steps) });
  }
  const takenBack = drawTakenBack(draw, cast, at, count);
  const chaosMs = Math.max(at, ...takenBack.steps.map((step) => step.at)) + 5_000;
  const faults = [...drawFaults(draw, cast, chaosMs), ...takenBack.faults];
  return { seed, cast, steps: [...steps, ...takenBack.steps], faults, chaosMs };
}

/** Somebody asks a role and takes it back about when the first offer ends, while reads are slow. In one world of ten. */
function drawTakenBack(
  draw: Draw,
  cast: Cast,
  lastAt: number,
  count: number,
): { steps: readonly Step[]; faults: readonly Fault[] } {
  if (draw('taken back') >= TAKEN_BACK) return { steps: [], faults: [] };
  const at = between(0, lastAt, draw('taken back at'));
  const end = at + OFFER_MS;
  const by = pick(cast.people, draw('taken back by'));
  const room = pick(cast.rooms, draw('taken back room')).id;
  const [id, deleteId] = [count + 1, count + 2];
  return {
    steps: [
      { id, at, type: 'say', by, room, calls: `@${ROLE}`, asks: true },
      { id: deleteId, at: end - between(0, 1_500, draw('taken back ms')), type: 'delete', of: id },
    ],
    faults: [{ type: 'reads', share: 1, mostMs: 600, from: end - 1_500, until: end + 1_500 }],
  };
}

/** People type in fragments, so often the next line comes at once. */
function gapMs(draw: Draw, id: number): number {
  const kind = draw('gap', id);
  if (kind < 0.15) return 0;
  return between(kind < 0.5 ? 1 : 600, kind < 0.5 ? 600 : GAP_MS * 2, draw('gap ms', id));
}

type Drawn<S = Step> = S extends Step ? Omit<S, 'id' | 'at'> : never;

function drawStep(draw: Draw, id: number, cast: Cast, before: readonly Step[]): Drawn {
  const by = pick(cast.people, draw('by', id));
  const kind = draw('kind', id);
  const said = before.filter((step): step is Said => step.type === 'say');
  const earlier = said.length === 0 ? undefined : pick(said, draw('of', id));
  if (earlier !== undefined) {
    if (kind < 0.06) return { type: 'edit', of: earlier.id };
    if (kind < 0.1) return { type: 'delete', of: earlier.id };
    if (kind < 0.16)
      return {
        type: 'react',
        by,
        of: earlier.id,
        signal: pick(['agree', 'declined', 'seen', 'done'] as const, draw('signal', id)),
      };
    if (kind < 0.22 && cast.asksPeople) return { type: 'decide', agrees: draw('agrees', id) < 0.6 };
  }
  const last = said.at(-1);
  const goesOn = last !== undefined && draw('goes on', id) < 0.35;
  if (kind < 0.27)
    return { type: 'typing', by, room: goesOn ? last.room : pick(cast.rooms, draw('room', id)).id };
  return drawSaid(draw, id, cast, goesOn ? last : undefined, earlier);
}

function drawSaid(
  draw: Draw,
  id: number,
  cast: Cast,
  last: Said | undefined,
  earlier: Said | undefined,
): Drawn<Said> {
  const room = last?.room ?? pick(cast.rooms, draw('room', id)).id;
  const chance = draw('calls', id);
  const calls = chance < 0.55 ? pick(cast.agents, draw('whom', id)) : chance < 0.68 ? `@${ROLE}` : undefined;
  const near = earlier?.room === room && earlier.thread === undefined ? earlier : undefined;
  const place = draw('place', id);
  return {
    type: 'say',
    by: last?.by ?? pick(cast.people, draw('by', id)),
    room,
    asks: draw('asks', id) < 0.7,
    ...(calls === undefined ? {} : { calls }),
    ...(near !== undefined && place < 0.12 && room !== 'dm-ada' ? { thread: near.id } : {}),
    ...(near !== undefined && place > 0.85 ? { replyTo: near.id } : {}),
    ...longChars(draw('long', id)),
    ...(cast.files === true && draw('file', id) < 0.3 ? { file: true } : {}),
    ...(cast.secrets === true && draw('secret', id) < 0.3 ? { secret: true } : {}),
    ...(calls !== undefined && chance < 0.55 && draw('owed', id) < 0.12 ? { owed: true } : {}),
  };
}

function longChars(chance: number): { chars?: number } {
  if (chance < 0.006) return { chars: LONG_CHARS.paste };
  return chance < 0.03 ? { chars: LONG_CHARS.long } : {};
}
