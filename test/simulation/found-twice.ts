// What the simulation has found about questions that were answered twice, each as the smallest plan that showed it.
// regressions.test.ts plays them.
import { castOf, type Found, ROOMS, say } from './found-parts.ts';

const CAST = castOf(['lead', 'builder', 'reviewer', 'scout'], { people: ['ada', 'bob', 'cy'] });

export const FOUND_TWICE: Found = [
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
    'seed 1501071: a turn that had lost its question to a twin claimed it after all, and what the claim delivered stayed open',
    {
      seed: 1_501_071,
      cast: {
        ...CAST,
        agents: CAST.agents.slice(0, 2),
        people: ['ada', 'bob'],
        rooms: ROOMS,
        pulls: true,
      },
      steps: [
        say(1, 0, 'bob', 'dm-ada', { calls: 'lead' }),
        say(2, 3_746, 'ada', 'general', { asks: true }),
        say(3, 4_751, 'ada', 'general', { asks: true, thread: 2 }),
        { id: 4, at: 5_291, type: 'typing', by: 'ada', room: 'general' },
        say(5, 8_933, 'ada', 'general', { calls: '@reviews', asks: true }),
      ],
      faults: [
        { type: 'twin', at: 8_488, agent: 'builder' },
        { type: 'crash', at: 1_201, moment: 'before_commit', nth: 9, downMs: 3_000, keepsUnsynced: false },
      ],
      chaosMs: 21_904,
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
  [
    'seed 1350815: a line was deleted while a turn was about it and another event, and the rest of its message was asked again',
    {
      seed: 1_350_815,
      cast: { ...CAST, agents: CAST.agents.slice(0, 2), pulls: true, puller: 'builder', files: true },
      steps: [
        say(2, 1_002, 'ada', 'general', { calls: '@reviews', asks: true }),
        say(3, 2_212, 'ada', 'general'),
        say(4, 2_226, 'ada', 'general', { calls: 'builder', asks: true }),
        say(5, 2_226, 'ada', 'general', { calls: 'builder', asks: true, chars: 6_000 }),
        say(6, 2_328, 'cy', 'general', { calls: 'builder', asks: true }),
        say(7, 3_396, 'cy', 'general', { asks: true }),
        say(8, 4_680, 'cy', 'general', { calls: 'builder' }),
        { id: 9, at: 8_858, type: 'delete', of: 4 },
      ],
      faults: [
        { type: 'crash', at: 3_270, moment: 'after_commit', nth: 3, downMs: 3_000, keepsUnsynced: false },
      ],
      chaosMs: 13_858,
    },
  ],
  [
    'seed 1362883: the same with an edit, while the turn answered a debt',
    {
      seed: 1_362_883,
      cast: { ...CAST, agents: CAST.agents.slice(0, 2), asksPeople: true, puller: 'builder' },
      steps: [
        say(1, 207, 'ada', 'general', { calls: 'builder' }),
        say(2, 450, 'ada', 'general', { calls: 'lead', asks: true }),
        say(4, 4_935, 'cy', 'general', { calls: 'builder', owed: true }),
        say(5, 4_935, 'ada', 'general', { calls: 'builder', asks: true }),
        say(6, 5_469, 'ada', 'general', { calls: 'builder', asks: true }),
        { id: 7, at: 9_034, type: 'edit', of: 6 },
      ],
      faults: [
        { type: 'store', fault: 'lost', share: 0.5, from: 6_714, until: 12_082 },
        { type: 'crash', at: 1_941, moment: 'after_commit', nth: 1, downMs: 3_000, keepsUnsynced: true },
      ],
      chaosMs: 14_034,
    },
  ],
  [
    'seed 1387250: the same with a line that had only been said before the one that was edited',
    {
      seed: 1_387_250,
      cast: { ...CAST, agents: CAST.agents.slice(0, 3), rooms: ROOMS, asksPeople: true, puller: 'builder' },
      steps: [
        say(5, 10_440, 'bob', 'general', { calls: 'builder', asks: true, thread: 3 }),
        say(14, 24_173, 'bob', 'general', { calls: 'lead' }),
        say(16, 28_336, 'cy', 'general', { calls: '@reviews', asks: true }),
        say(17, 28_776, 'cy', 'general', { calls: 'builder' }),
        say(19, 33_855, 'cy', 'general', { asks: true }),
        say(42, 61_138, 'cy', 'general'),
        say(43, 61_138, 'cy', 'general', { calls: 'builder', asks: true, thread: 14 }),
        say(44, 61_138, 'cy', 'general', { asks: true }),
        { id: 46, at: 63_836, type: 'edit', of: 44 },
      ],
      faults: [
        { type: 'harness_dies', at: 29_825, agent: 'reviewer', downMs: 0 },
        { type: 'flood', at: 59_248, room: 'general', by: 'bob', count: 14 },
      ],
      chaosMs: 111_372,
    },
  ],
  [
    'seed 1392298: the same in a direct message, after the harness and the host had died',
    {
      seed: 1_392_298,
      cast: { ...CAST, people: ['ada'], rooms: ROOMS, asksPeople: true, pulls: true, puller: 'reviewer' },
      steps: [
        say(1, 456, 'ada', 'ops', { calls: 'lead' }),
        say(2, 769, 'ada', 'dm-ada', { calls: 'reviewer', owed: true }),
        say(4, 1_688, 'ada', 'dm-ada', { calls: 'reviewer', asks: true }),
        say(5, 3_435, 'ada', 'dm-ada', { calls: '@reviews' }),
        say(6, 5_764, 'ada', 'dm-ada', { asks: true }),
        { id: 9, at: 8_965, type: 'edit', of: 5 },
      ],
      faults: [
        { type: 'harness_dies', at: 5_218, agent: 'reviewer', downMs: 400 },
        { type: 'crash', at: 1_375, moment: 'after_commit', nth: 11, downMs: 3_000, keepsUnsynced: true },
      ],
      chaosMs: 17_281,
    },
  ],
  [
    'seed 2026250: the clock jumped past the time of an approval and that of its question, and both asked it again',
    {
      seed: 2_026_250,
      cast: castOf(['lead', 'builder', 'reviewer'], {
        people: ['ada', 'bob', 'cy'],
        asksPeople: true,
        files: true,
        races: true,
      }),
      steps: [
        say(12, 24_609, 'ada', 'general', { asks: true, calls: 'reviewer' }),
        say(24, 36_771, 'bob', 'general', { calls: 'reviewer' }),
        say(26, 39_369, 'bob', 'general', { asks: true }),
        say(36, 52_187, 'bob', 'general', { calls: 'reviewer', replyTo: 12 }),
        say(45, 58_592, 'bob', 'general', { asks: true }),
      ],
      faults: [{ type: 'clock', at: 61_502, byMs: 500_690 }],
      chaosMs: 79_333,
    },
  ],
];
