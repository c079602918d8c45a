// What the simulation has found about who has a delivery: an agent's process that comes back after another one of the same
// agent, and turns of which the host did not hear all. Each is the smallest plan that showed it; regressions.test.ts plays them.
import type { Cast, Plan, Room, Said } from './plan.ts';

const ROOMS: readonly Room[] = [
  { id: 'general', kind: 'channel', platform: 'chat' },
  { id: 'ops', kind: 'channel', platform: 'desk' },
  { id: 'dm-ada', kind: 'dm', platform: 'chat' },
];
const CAST: Cast = {
  agents: ['lead', 'builder'],
  people: ['ada', 'bob'],
  rooms: ROOMS.slice(0, 2),
  asksPeople: false,
  pulls: false,
};
const say = (id: number, at: number, by: string, room: string, more: Partial<Said> = {}): Said => ({
  id,
  at,
  type: 'say',
  by,
  room,
  asks: false,
  ...more,
});

export const FOUND_HELD: readonly (readonly [what: string, plan: Plan])[] = [
  [
    'seed 1307057: a turn that was started again had answered follow-ups, and the host never heard that it had taken them in',
    {
      seed: 1_307_057,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer'],
        people: ['ada', 'bob', 'cy'],
        pulls: true,
        files: true,
      },
      faults: [
        { type: 'flood', at: 5_027, room: 'ops', by: 'ada', count: 35 },
        { type: 'clock', at: 6_747, byMs: 4_206_256 },
        { type: 'reads', share: 1, mostMs: 600, from: 5_835, until: 8_835 },
      ],
      steps: [
        say(3, 1_709, 'cy', 'ops', { calls: 'builder', file: true }),
        say(4, 1_736, 'cy', 'general', { asks: true }),
        say(5, 2_674, 'cy', 'general', { asks: true, calls: 'lead' }),
        say(6, 3_215, 'cy', 'general', { asks: true, calls: 'reviewer', file: true, owed: true }),
        { id: 7, at: 7_525, type: 'typing', by: 'cy', room: 'general' },
        say(8, 7_814, 'bob', 'general', { asks: true, calls: '@reviews' }),
        say(14, 3_335, 'ada', 'ops', { calls: '@reviews', asks: true }),
        { id: 15, at: 6_831, type: 'delete', of: 14 },
      ],
      chaosMs: 14_903,
    },
  ],
  [
    'seed 1321907: a harness was away, another one accepted what it works on and was replaced: its turn ended nothing when it was back',
    {
      seed: 1_321_907,
      cast: { ...CAST, people: ['ada', 'bob', 'cy'], asksPeople: true },
      faults: [
        { type: 'twin', at: 10_539, agent: 'builder' },
        { type: 'frames', fault: 'reset', share: 0.2, from: 8_573, until: 10_808 },
        { type: 'reads', share: 1, mostMs: 600, from: 2_552, until: 5_552 },
      ],
      steps: [
        say(2, 3_629, 'ada', 'ops', { asks: true, calls: 'lead' }),
        say(6, 5_808, 'ada', 'ops', { asks: true, calls: 'builder', owed: true }),
        say(7, 52, 'ada', 'ops', { calls: '@reviews', asks: true }),
        { id: 8, at: 3_428, type: 'delete', of: 7 },
      ],
      chaosMs: 10_808,
    },
  ],
  [
    'seed 1322228: the same where the turn said nothing',
    {
      seed: 1_322_228,
      cast: { ...CAST, people: ['ada'], rooms: ROOMS.slice(0, 1) },
      faults: [
        { type: 'frames', fault: 'reset', share: 0.5, from: 6_362, until: 8_727 },
        { type: 'twin', at: 15_208, agent: 'builder' },
      ],
      steps: [
        say(7, 6_755, 'ada', 'general', { asks: true, calls: 'lead', replyTo: 4, chars: 6_000 }),
        say(9, 7_570, 'ada', 'general', { calls: '@reviews', replyTo: 6 }),
        say(10, 7_926, 'ada', 'general', { calls: '@reviews' }),
        say(12, 8_557, 'ada', 'general', { calls: '@reviews' }),
      ],
      chaosMs: 15_246,
    },
  ],
  [
    'seed 1331465: the same after a crash of the host, with a session of its own for each',
    {
      seed: 1_331_465,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer'],
        asksPeople: true,
        puller: 'builder',
        races: true,
      },
      faults: [
        { type: 'twin', at: 20_416, agent: 'lead' },
        { type: 'store', fault: 'kept', share: 0.05, from: 17_526, until: 21_130 },
        { type: 'reads', share: 0.05, mostMs: 600, from: 10_907, until: 15_659 },
        { type: 'reads', share: 1, mostMs: 600, from: 6_909, until: 9_909 },
      ],
      steps: [
        say(1, 1, 'ada', 'ops', { calls: '@reviews' }),
        say(3, 3_900, 'ada', 'ops', { asks: true, calls: 'lead' }),
        say(4, 4_242, 'bob', 'general', { asks: true, calls: 'builder' }),
        say(5, 4_444, 'ada', 'general', { asks: true, calls: 'lead' }),
        say(6, 5_606, 'ada', 'general', { asks: true }),
        { id: 7, at: 7_897, type: 'react', by: 'ada', of: 4, signal: 'seen' },
        say(8, 8_246, 'ada', 'general', { asks: true, calls: '@reviews' }),
        say(9, 12_853, 'bob', 'ops', { asks: true, calls: 'lead', thread: 1 }),
        say(11, 15_994, 'ada', 'general', { asks: true }),
        say(12, 16_130, 'bob', 'ops', { asks: true, calls: 'reviewer' }),
        say(15, 4_409, 'bob', 'ops', { calls: '@reviews', asks: true }),
        { id: 16, at: 7_194, type: 'delete', of: 15 },
      ],
      chaosMs: 21_130,
    },
  ],
  [
    'seed 1362750: the other one had begun a turn, which nobody ended any more',
    {
      seed: 1_362_750,
      cast: { ...CAST, rooms: ROOMS, asksPeople: true, pulls: true, races: true },
      faults: [
        { type: 'store', fault: 'slow', share: 0.05, from: 41_242, until: 52_025 },
        { type: 'twin', at: 77_250, agent: 'lead' },
        { type: 'crash', at: 72_244, moment: 'frame', nth: 12, downMs: 3_000, keepsUnsynced: true },
      ],
      steps: [
        say(1, 2_117, 'bob', 'dm-ada'),
        say(2, 6_501, 'bob', 'dm-ada', { calls: 'builder' }),
        say(3, 6_800, 'bob', 'dm-ada', { asks: true, calls: 'lead', replyTo: 1 }),
        say(5, 11_214, 'bob', 'dm-ada', { calls: 'lead' }),
        say(8, 15_806, 'ada', 'ops', { asks: true }),
        say(9, 15_990, 'ada', 'ops', { asks: true }),
        say(10, 20_922, 'ada', 'ops', { asks: true, calls: 'builder' }),
        { id: 11, at: 25_238, type: 'delete', of: 9 },
        { id: 12, at: 28_784, type: 'react', by: 'ada', of: 3, signal: 'declined' },
        { id: 13, at: 29_362, type: 'react', by: 'bob', of: 9, signal: 'declined' },
        say(14, 34_216, 'ada', 'dm-ada', { asks: true, calls: 'builder' }),
        say(15, 37_634, 'bob', 'ops', { asks: true, calls: 'lead' }),
        say(16, 41_445, 'bob', 'ops', { asks: true, calls: 'builder' }),
        say(17, 41_445, 'bob', 'dm-ada', { calls: 'builder' }),
        say(18, 45_529, 'bob', 'dm-ada', { asks: true, calls: '@reviews' }),
        say(22, 54_048, 'bob', 'general', { asks: true, calls: 'builder', chars: 60_000, owed: true }),
        say(23, 54_848, 'bob', 'ops', { calls: 'builder', owed: true }),
        say(24, 58_212, 'bob', 'ops'),
        say(28, 62_695, 'bob', 'general', { asks: true }),
        say(29, 65_360, 'bob', 'general', { asks: true, calls: '@reviews' }),
      ],
      chaosMs: 128_186,
    },
  ],
  [
    'seed 1401578: the other one had put it off, so it came back although the turn of the first had answered it',
    {
      seed: 1_401_578,
      cast: { ...CAST, people: ['ada'], rooms: ROOMS },
      faults: [
        { type: 'harness_dies', at: 5_174, agent: 'lead', downMs: 400 },
        { type: 'store', fault: 'kept', share: 0.5, from: 6_491, until: 17_781 },
        { type: 'frames', fault: 'reorder', share: 0.5, from: 4_779, until: 18_397 },
        { type: 'twin', at: 17_741, agent: 'builder' },
      ],
      steps: [
        say(1, 0, 'ada', 'general', { asks: true, calls: 'lead' }),
        { id: 2, at: 2_736, type: 'typing', by: 'ada', room: 'general' },
        say(3, 2_736, 'ada', 'general', { asks: true, calls: 'builder', replyTo: 1 }),
        say(4, 2_736, 'ada', 'general', { asks: true }),
        say(5, 6_041, 'ada', 'ops', { asks: true }),
        { id: 6, at: 6_508, type: 'react', by: 'ada', of: 4, signal: 'done' },
        say(7, 7_098, 'ada', 'ops', { asks: true, replyTo: 5 }),
        { id: 9, at: 10_012, type: 'typing', by: 'ada', room: 'ops' },
        say(10, 10_271, 'ada', 'general', { calls: 'builder' }),
        say(11, 11_158, 'ada', 'general', { asks: true }),
        say(12, 12_384, 'ada', 'general', { asks: true, calls: 'builder' }),
        say(13, 13_328, 'ada', 'general', { asks: true }),
      ],
      chaosMs: 22_800,
    },
  ],
];
