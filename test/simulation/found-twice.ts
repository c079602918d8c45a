// What the simulation has found about questions that were answered twice, each as the smallest plan that showed it.
// regressions.test.ts plays them.
import type { Cast, Plan, Room, Said } from './plan.ts';

const ROOMS: readonly Room[] = [
  { id: 'general', kind: 'channel', platform: 'chat' },
  { id: 'ops', kind: 'channel', platform: 'desk' },
  { id: 'dm-ada', kind: 'dm', platform: 'chat' },
];
const CAST: Cast = {
  agents: ['lead', 'builder', 'reviewer', 'scout'],
  people: ['ada', 'bob', 'cy'],
  rooms: ROOMS.slice(0, 1),
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

export const FOUND_TWICE: readonly (readonly [what: string, plan: Plan])[] = [
  [
    'seed 1350906: a harness died while its send was under way, and its next turn answered one of the two questions again',
    {
      seed: 1_350_906,
      cast: { ...CAST, people: ['ada'], rooms: ROOMS.slice(0, 2), files: true },
      steps: [
        say(1, 3_889, 'ada', 'general', { calls: 'scout', asks: true, file: true }),
        say(2, 4_049, 'ada', 'general', { calls: 'scout', asks: true }),
      ],
      faults: [
        { type: 'harness_dies', at: 8_333, agent: 'scout', downMs: 400 },
        { type: 'reads', share: 1, mostMs: 600, from: 7_203, until: 10_203 },
      ],
      chaosMs: 14_889,
    },
  ],
  [
    'seed 1384850: an edit of an old message was handed over with what its author had said just before the edit',
    {
      seed: 1_384_850,
      cast: { ...CAST, people: ['ada'], pulls: true, puller: 'builder', files: true },
      steps: [
        say(5, 3_611, 'ada', 'general', { calls: 'builder' }),
        say(7, 4_479, 'ada', 'general', { calls: 'reviewer', replyTo: 6 }),
        say(12, 20_305, 'ada', 'general'),
        say(17, 30_844, 'ada', 'general', { calls: 'builder', asks: true, file: true }),
        { id: 19, at: 31_176, type: 'typing', by: 'ada', room: 'general' },
        say(22, 32_588, 'ada', 'general', { calls: 'lead', asks: true }),
        { id: 24, at: 33_257, type: 'delete', of: 7 },
        say(25, 34_217, 'ada', 'general', { asks: true, file: true }),
        { id: 26, at: 34_654, type: 'edit', of: 5 },
        { id: 27, at: 35_131, type: 'typing', by: 'ada', room: 'general' },
        say(28, 35_664, 'ada', 'general'),
      ],
      faults: [],
      chaosMs: 44_265,
    },
  ],
];
