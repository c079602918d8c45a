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
];
