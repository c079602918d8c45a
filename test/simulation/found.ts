// More of what the simulation has found, each as the smallest plan that showed it: the later part of the list that
// regressions.test.ts plays.
import type { Cast, Plan, Room, Said } from './plan.ts';

const ROOMS: readonly Room[] = [
  { id: 'general', kind: 'channel', platform: 'chat' },
  { id: 'ops', kind: 'channel', platform: 'desk' },
  { id: 'dm-ada', kind: 'dm', platform: 'chat' },
];
const CAST: Cast = {
  agents: ['lead', 'builder', 'reviewer'],
  people: ['ada', 'bob'],
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

export const FOUND_LATER: readonly (readonly [what: string, plan: Plan])[] = [
  [
    'seed 55036: a turn ended before the host was told of the follow-up that it had taken in, so the follow-up stayed open',
    {
      seed: 55_036,
      cast: { ...CAST, rooms: ROOMS.slice(0, 3), asksPeople: true },
      faults: [
        { type: 'store', fault: 'full', share: 0.5, from: 5_220, until: 8_300 },
        { type: 'clock', at: 7_914, byMs: 8_695_779 },
        { type: 'store', fault: 'lost', share: 0.5, from: 6_787, until: 12_101 },
      ],
      steps: [
        say(1, 41, 'bob', 'ops', { calls: 'reviewer', asks: true }),
        say(2, 419, 'ada', 'general', { calls: 'lead', asks: true }),
        say(3, 419, 'ada', 'dm-ada', { calls: 'reviewer', asks: true }),
        say(5, 4_588, 'bob', 'general', { calls: 'builder', asks: true }),
        say(6, 4_731, 'bob', 'general', { calls: 'reviewer', replyTo: 5 }),
        say(7, 7_101, 'bob', 'general', { calls: 'lead', asks: true, chars: 6_000, owed: true }),
      ],
      chaosMs: 12_101,
    },
  ],
  [
    'seed 60260: the same with the body of a claimed event, while the store could not take the start',
    {
      seed: 60_260,
      cast: { ...CAST, agents: ['lead', 'builder'], files: true },
      faults: [
        { type: 'crash', at: 21_419, moment: 'frame', nth: 7, downMs: 0, keepsUnsynced: false },
        { type: 'store', fault: 'lost', share: 0.5, from: 15_597, until: 30_589 },
      ],
      steps: [
        say(1, 3_751, 'bob', 'general', { calls: 'lead', asks: true, file: true }),
        say(2, 8_129, 'bob', 'general', { calls: 'builder' }),
        say(3, 9_150, 'bob', 'general', { asks: true, replyTo: 2, file: true }),
        say(4, 9_150, 'bob', 'general', { asks: true, replyTo: 3 }),
        say(5, 9_476, 'bob', 'general', { asks: true }),
        say(6, 12_148, 'bob', 'general', { replyTo: 4 }),
        say(7, 12_645, 'bob', 'general', {
          calls: 'builder',
          asks: true,
          replyTo: 4,
          chars: 6_000,
          owed: true,
        }),
        say(8, 15_750, 'ada', 'general', { calls: 'builder' }),
        say(9, 15_865, 'ada', 'general', { calls: '@reviews', asks: true, file: true }),
        say(10, 15_967, 'ada', 'general', { calls: '@reviews' }),
        { id: 11, at: 18_987, type: 'delete', of: 3 },
        say(12, 19_371, 'bob', 'general', { calls: '@reviews', asks: true }),
      ],
      chaosMs: 32_883,
    },
  ],
  [
    'seed 56513: a message that was deleted could be claimed again, and its claimant was handed an empty delivery',
    {
      seed: 56_513,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada', 'bob', 'cy'],
        rooms: ROOMS.slice(0, 2),
      },
      faults: [{ type: 'frames', fault: 'reset', share: 0.2, from: 8_023, until: 15_649 }],
      steps: [
        say(1, 2_880, 'ada', 'general', { calls: '@reviews' }),
        { id: 2, at: 3_108, type: 'react', by: 'cy', of: 1, signal: 'done' },
        say(3, 4_035, 'cy', 'ops', { calls: 'builder', asks: true, owed: true }),
        { id: 4, at: 4_176, type: 'typing', by: 'bob', room: 'ops' },
        { id: 5, at: 4_616, type: 'delete', of: 1 },
        say(6, 5_130, 'ada', 'ops', { calls: 'reviewer', asks: true }),
        say(7, 5_619, 'ada', 'ops', { asks: true }),
        { id: 8, at: 7_294, type: 'delete', of: 1 },
        say(9, 7_931, 'ada', 'ops', { calls: '@reviews', asks: true }),
        say(10, 11_610, 'bob', 'ops', { calls: '@reviews', asks: true }),
        say(12, 12_208, 'ada', 'ops', { calls: 'reviewer', asks: true, owed: true }),
        say(13, 12_516, 'bob', 'general', { calls: '@reviews', asks: true }),
        { id: 14, at: 12_977, type: 'delete', of: 9 },
      ],
      chaosMs: 17_977,
    },
  ],
  [
    'seed 63945: an edit was dropped with the message it edits, which had been answered when its harness came back',
    {
      seed: 63_945,
      cast: { ...CAST, people: ['ada', 'bob', 'cy'] },
      faults: [
        { type: 'frames', fault: 'double', share: 0.05, from: 3_132, until: 12_043 },
        { type: 'store', fault: 'slow', share: 0.5, from: 2_696, until: 12_216 },
        { type: 'frames', fault: 'drop', share: 0.2, from: 4_241, until: 8_796 },
        { type: 'crash', at: 2_563, moment: 'before_commit', nth: 9, downMs: 0, keepsUnsynced: false },
      ],
      steps: [
        say(1, 3_283, 'ada', 'general', { calls: 'lead', asks: true }),
        say(2, 4_375, 'cy', 'general', { calls: 'reviewer', asks: true }),
        say(3, 5_535, 'cy', 'general', { calls: 'builder', replyTo: 1 }),
        { id: 4, at: 9_635, type: 'edit', of: 2 },
      ],
      chaosMs: 14_635,
    },
  ],
  [
    'seed 70279: the host died before it had stored an acknowledgement, and what the agent held stayed queued',
    {
      seed: 70_279,
      cast: { ...CAST, rooms: ROOMS.slice(0, 2) },
      faults: [
        { type: 'crash', at: 8_058, moment: 'before_commit', nth: 6, downMs: 0, keepsUnsynced: false },
      ],
      steps: [
        say(1, 3_260, 'bob', 'general', { calls: 'reviewer', asks: true }),
        say(2, 5_312, 'bob', 'ops', { calls: 'lead', asks: true }),
      ],
      chaosMs: 33_274,
    },
  ],
  [
    'seed 57289: the answer to two lines was refused, and the agent was asked for another one about each of them',
    {
      seed: 57_289,
      cast: { ...CAST, rooms: ROOMS.slice(0, 3) },
      faults: [{ type: 'posts', fault: 'refused', share: 0.2, from: 3_325, until: 8_158 }],
      steps: [
        say(4, 1_086, 'ada', 'general', { calls: 'builder' }),
        say(5, 1_666, 'ada', 'general', { calls: 'builder', asks: true }),
      ],
      chaosMs: 8_838,
    },
  ],
  [
    'seed 67164: the same where the text was shown and its file was refused',
    {
      seed: 67_164,
      cast: { ...CAST, people: ['ada', 'bob', 'cy'], files: true },
      faults: [{ type: 'posts', fault: 'refused', share: 0.5, from: 22_000, until: 27_404 }],
      steps: [
        say(7, 8_373, 'ada', 'general', { calls: 'builder', asks: true, owed: true }),
        say(13, 22_302, 'ada', 'general', { asks: true, file: true }),
        say(14, 22_404, 'ada', 'general', { asks: true, file: true }),
      ],
      chaosMs: 27_404,
    },
  ],
  [
    'seed 52410: an answer of which the platform refused a later part counted as the answer, beside the one it was asked for anew',
    {
      seed: 52_410,
      cast: { ...CAST, agents: ['lead', 'builder'], people: ['ada', 'bob', 'cy'], asksPeople: true },
      faults: [
        { type: 'posts', fault: 'refused', share: 0.5, from: 4_212, until: 17_331 },
        { type: 'posts', fault: 'refused', share: 0.2, from: 11_389, until: 21_047 },
      ],
      steps: [
        say(1, 2_670, 'ada', 'general', { calls: 'lead', asks: true }),
        say(2, 4_361, 'ada', 'general', { calls: 'builder', asks: true, replyTo: 1 }),
        say(3, 4_927, 'ada', 'general', { calls: 'lead', asks: true, owed: true }),
        say(4, 7_297, 'ada', 'general', { calls: 'builder', asks: true }),
        say(5, 12_237, 'bob', 'general', { calls: 'builder', asks: true }),
      ],
      chaosMs: 21_047,
    },
  ],
  [
    'seed 72785: a simulated agent asked for a person’s word again and again after the last person had gone, and never answered',
    {
      seed: 72_785,
      cast: { ...CAST, agents: ['lead', 'builder'], asksPeople: true, pulls: true, puller: 'builder' },
      faults: [{ type: 'crash', at: 9_611, moment: 'time', nth: 2, downMs: 0, keepsUnsynced: false }],
      steps: [
        say(3, 8_363, 'bob', 'general', { calls: 'lead', replyTo: 1 }),
        say(4, 12_739, 'bob', 'general', { calls: 'builder' }),
        say(5, 14_608, 'bob', 'general', { calls: 'lead', asks: true }),
        say(6, 14_703, 'ada', 'general', { calls: 'lead', asks: true, owed: true }),
        say(7, 14_738, 'ada', 'general', { calls: '@reviews', asks: true }),
      ],
      chaosMs: 19_738,
    },
  ],
  [
    'seed 78155: a turn answered a line that a twin had put off, and the line came back when that time was over',
    {
      seed: 78_155,
      cast: { ...CAST, agents: ['lead', 'builder'], people: ['ada'], rooms: ROOMS.slice(0, 3), files: true },
      faults: [
        { type: 'twin', at: 17_010, agent: 'lead' },
        { type: 'frames', fault: 'reset', share: 0.2, from: 9_429, until: 21_221 },
      ],
      steps: [
        say(1, 1_883, 'ada', 'general', { calls: 'lead', asks: true, file: true }),
        say(2, 6_373, 'ada', 'general', { calls: 'builder' }),
        say(3, 9_663, 'ada', 'general', { calls: 'builder', asks: true }),
        say(5, 11_067, 'ada', 'dm-ada', { calls: 'lead', asks: true, file: true, owed: true }),
        say(6, 11_405, 'ada', 'general', { calls: 'lead', asks: true, file: true }),
        say(7, 11_405, 'ada', 'general', { calls: 'lead', asks: true }),
        say(8, 11_999, 'ada', 'dm-ada', { calls: 'lead', file: true }),
        say(9, 12_512, 'ada', 'ops', { calls: 'lead' }),
        say(10, 16_857, 'ada', 'ops', { asks: true }),
      ],
      chaosMs: 32_334,
    },
  ],
  [
    'seed 79244: a source had shown an answer and refused it when it was posted again, so the agent was asked for another one',
    {
      seed: 79_244,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada'],
        rooms: ROOMS.slice(0, 2),
        asksPeople: true,
      },
      faults: [
        { type: 'posts', fault: 'refused', share: 0.05, from: 13_419, until: 18_149 },
        { type: 'crash', at: 14_692, moment: 'shown', nth: 1, downMs: 50, keepsUnsynced: true },
      ],
      steps: [
        say(3, 7_383, 'ada', 'ops', { calls: 'reviewer', asks: true, owed: true }),
        { id: 5, at: 9_019, type: 'typing', by: 'ada', room: 'ops' },
        say(6, 9_419, 'ada', 'ops', { asks: true }),
        { id: 7, at: 9_766, type: 'edit', of: 6 },
        say(8, 12_682, 'ada', 'ops'),
        say(9, 12_884, 'ada', 'ops'),
        say(10, 13_149, 'ada', 'ops', { asks: true }),
      ],
      chaosMs: 18_149,
    },
  ],
  [
    'seed 102547: the store could not take that a send was visible, and the last part of it was posted once more',
    {
      seed: 102_547,
      cast: { ...CAST, pulls: true },
      faults: [
        { type: 'store', fault: 'lost', share: 0.2, from: 11_156, until: 12_530 },
        { type: 'posts', fault: 'shown', share: 0.5, from: 8_650, until: 12_530 },
      ],
      steps: [
        { id: 1, at: 0, type: 'typing', by: 'ada', room: 'general' },
        say(2, 1_934, 'ada', 'general', { calls: 'reviewer', asks: true }),
        say(3, 2_113, 'ada', 'general', { asks: true, thread: 2 }),
        { id: 4, at: 2_365, type: 'delete', of: 3 },
        say(5, 2_666, 'ada', 'general', { calls: 'reviewer', asks: true, replyTo: 2 }),
        say(6, 2_677, 'ada', 'general'),
        say(7, 2_677, 'ada', 'general', { calls: 'reviewer' }),
        say(8, 2_851, 'ada', 'general', { calls: 'reviewer', asks: true, replyTo: 2 }),
        say(9, 3_300, 'bob', 'general', { asks: true }),
        say(10, 7_530, 'bob', 'general', { calls: 'builder', asks: true, replyTo: 8 }),
      ],
      chaosMs: 12_530,
    },
  ],
  [
    'seed 113426: the time of a turn was over while the host was being told of the event it had claimed, which stayed open',
    {
      seed: 113_426,
      cast: { ...CAST, rooms: ROOMS.slice(0, 2) },
      faults: [
        { type: 'half_open', at: 12_851, agent: 'builder' },
        { type: 'frames', fault: 'reorder', share: 0.05, from: 5_237, until: 12_398 },
        { type: 'frames', fault: 'double', share: 0.2, from: 5_481, until: 14_305 },
      ],
      steps: [
        say(1, 565, 'ada', 'general', { calls: '@reviews', asks: true }),
        say(2, 4_084, 'bob', 'ops', { calls: '@reviews', asks: true }),
        say(4, 5_126, 'bob', 'general', { calls: 'reviewer', asks: true }),
        say(6, 9_305, 'bob', 'general'),
      ],
      chaosMs: 14_305,
    },
  ],
  [
    'seed 113632: an agent answered what was owed although it had been edited, and answered the edit too',
    {
      seed: 113_632,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        rooms: ROOMS.slice(0, 2),
        puller: 'builder',
      },
      faults: [],
      steps: [
        say(2, 7_795, 'ada', 'general', { calls: 'builder', asks: true }),
        say(3, 7_795, 'ada', 'general', { calls: 'builder', asks: true, owed: true }),
        { id: 4, at: 9_415, type: 'edit', of: 3 },
      ],
      chaosMs: 24_434,
    },
  ],
  [
    'seed 120154: the same, with a line that led in to it',
    {
      seed: 120_154,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        asksPeople: true,
        pulls: true,
        puller: 'builder',
      },
      faults: [],
      steps: [
        say(6, 4_593, 'ada', 'general', { asks: true }),
        say(7, 5_039, 'ada', 'general', { calls: 'builder', asks: true, owed: true }),
        { id: 8, at: 6_754, type: 'edit', of: 7 },
      ],
      chaosMs: 15_013,
    },
  ],
  [
    'seed 131509: a turn had answered and its end was never told, so when its lease ended the line was asked and answered again',
    {
      seed: 131_509,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        rooms: ROOMS,
        puller: 'builder',
      },
      faults: [
        { type: 'posts', fault: 'shown', share: 0.05, from: 1_076, until: 10_657 },
        { type: 'frames', fault: 'delay', share: 0.5, from: 1_415, until: 9_690 },
        { type: 'store', fault: 'full', share: 0.05, from: 10_371, until: 18_078 },
      ],
      steps: [
        say(4, 4_761, 'bob', 'general', { calls: '@reviews' }),
        say(5, 5_249, 'bob', 'general', { calls: 'builder', asks: true }),
      ],
      chaosMs: 18_078,
    },
  ],
  [
    'seed 603046: a follow-up came before the answer that ended what it replaced, and was dropped with it',
    {
      seed: 603_046,
      cast: { ...CAST, rooms: ROOMS, puller: 'reviewer' },
      faults: [
        { type: 'frames', fault: 'delay', share: 0.05, from: 3_012, until: 9_348 },
        { type: 'crash', at: 2_065, moment: 'time', nth: 12, downMs: 3_000, keepsUnsynced: true },
        { type: 'clock', at: 5_327, byMs: 7_075_282 },
      ],
      steps: [
        say(1, 16, 'ada', 'general', { calls: 'lead' }),
        say(2, 2_063, 'ada', 'general', { calls: 'builder', asks: true }),
      ],
      chaosMs: 21_875,
    },
  ],
  [
    'seed 603411: of a link that was cut before its agent had started it, the agent never heard (the simulation was wrong)',
    {
      seed: 603_411,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada', 'bob', 'cy'],
        pulls: true,
      },
      faults: [
        { type: 'crash', at: 1_019, moment: 'before_commit', nth: 11, downMs: 50, keepsUnsynced: false },
        { type: 'crash', at: 6_027, moment: 'before_commit', nth: 3, downMs: 0, keepsUnsynced: true },
      ],
      steps: [
        { id: 1, at: 3_922, type: 'typing', by: 'cy', room: 'general' },
        say(2, 6_311, 'ada', 'general'),
        say(3, 6_934, 'ada', 'general', { calls: 'lead', asks: true }),
        say(4, 7_480, 'ada', 'general', { asks: true }),
      ],
      chaosMs: 12_480,
    },
  ],
  [
    'seed 609672: a follow-up dropped in the same way, after a crash while the disk was full, in a room that is pulled',
    {
      seed: 609_672,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada'],
        rooms: ROOMS,
        pulls: true,
      },
      faults: [
        { type: 'store', fault: 'full', share: 0.05, from: 5_979, until: 20_523 },
        { type: 'crash', at: 6_968, moment: 'after_commit', nth: 11, downMs: 0, keepsUnsynced: true },
        { type: 'frames', fault: 'delay', share: 0.5, from: 14_530, until: 22_970 },
      ],
      steps: [
        say(1, 515, 'ada', 'ops', { calls: 'reviewer', asks: true }),
        say(2, 4_451, 'ada', 'ops', { asks: true }),
        say(3, 9_247, 'ada', 'general', { calls: 'scout', asks: true }),
        say(4, 9_391, 'ada', 'general', { asks: true }),
        say(5, 11_349, 'ada', 'ops', { asks: true }),
        say(6, 13_188, 'ada', 'ops', { calls: 'builder', asks: true }),
        say(8, 15_234, 'ada', 'ops', { asks: true }),
        say(9, 15_270, 'ada', 'ops', { asks: true, replyTo: 1 }),
        say(10, 18_536, 'ada', 'ops', { asks: true }),
        say(11, 19_134, 'ada', 'dm-ada', { calls: 'scout', asks: true }),
      ],
      chaosMs: 24_134,
    },
  ],
  [
    'seed 1001075: an agent claimed the same event a third time, and the delivery got the id of the second, which it had ended',
    {
      seed: 1_001_075,
      cast: { ...CAST, rooms: ROOMS.slice(0, 2), races: true },
      faults: [],
      steps: [
        say(9, 5_316, 'ada', 'ops', { calls: 'builder' }),
        say(10, 5_316, 'bob', 'ops', { calls: 'reviewer' }),
        say(21, 26_096, 'bob', 'general', { calls: 'lead', asks: true }),
        say(22, 26_180, 'ada', 'ops', { calls: 'reviewer', asks: true }),
        say(24, 29_054, 'ada', 'ops', { calls: '@reviews', asks: true }),
        say(28, 35_865, 'ada', 'general', { calls: 'builder', asks: true }),
        say(29, 36_648, 'bob', 'ops', { calls: '@reviews' }),
        { id: 30, at: 40_160, type: 'edit', of: 24 },
        say(32, 45_795, 'ada', 'ops', { calls: 'builder' }),
        say(33, 46_268, 'bob', 'general', { calls: 'lead', asks: true }),
        say(34, 46_580, 'bob', 'ops'),
        say(35, 46_580, 'bob', 'ops', { asks: true }),
        say(36, 46_720, 'ada', 'general', { calls: 'reviewer', owed: true }),
      ],
      chaosMs: 102_649,
    },
  ],
  [
    'seed 1365359: while a new session looked up what had been announced to it, what was said after that overtook it',
    {
      seed: 1_365_359,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        rooms: ROOMS.slice(0, 3),
        pulls: true,
      },
      faults: [
        { type: 'store', fault: 'kept', share: 0.05, from: 3_801, until: 10_938 },
        { type: 'reads', share: 1, mostMs: 600, from: 11_782, until: 14_782 },
      ],
      steps: [
        say(1, 1_745, 'bob', 'general', { calls: 'builder', owed: true }),
        say(2, 3_676, 'bob', 'general', { calls: 'builder', asks: true }),
        { id: 3, at: 4_123, type: 'typing', by: 'ada', room: 'general' },
        say(4, 6_737, 'ada', 'general', { calls: '@reviews' }),
        say(5, 7_199, 'bob', 'dm-ada', { calls: 'builder', asks: true, owed: true }),
        say(6, 12_096, 'ada', 'ops', { calls: '@reviews' }),
        say(7, 12_211, 'cy', 'dm-ada', { calls: 'builder', asks: true, chars: 6_000 }),
        say(8, 12_551, 'cy', 'dm-ada', { calls: 'builder', asks: true, replyTo: 5 }),
        say(12, 9_282, 'cy', 'general', { calls: '@reviews', asks: true }),
        { id: 13, at: 12_549, type: 'delete', of: 12 },
      ],
      chaosMs: 22_820,
    },
  ],
  [
    'seed 1375338: the same after the host had died',
    {
      seed: 1_375_338,
      cast: { ...CAST, people: ['ada'], rooms: ROOMS.slice(0, 3), pulls: true, files: true },
      faults: [
        { type: 'crash', at: 17_620, moment: 'frame', nth: 8, downMs: 3_000, keepsUnsynced: false },
        { type: 'reads', share: 1, mostMs: 600, from: 23_138, until: 26_138 },
      ],
      steps: [
        { id: 1, at: 2_536, type: 'typing', by: 'ada', room: 'ops' },
        say(2, 5_146, 'ada', 'ops', { calls: 'builder', asks: true }),
        say(3, 8_904, 'ada', 'ops', { calls: '@reviews', asks: true, file: true }),
        say(4, 8_904, 'ada', 'ops', { calls: '@reviews' }),
        say(5, 8_904, 'ada', 'general', { calls: 'builder' }),
        say(8, 16_481, 'ada', 'general', { calls: 'reviewer', asks: true }),
        { id: 9, at: 19_808, type: 'edit', of: 8 },
        say(10, 22_383, 'ada', 'ops', { calls: 'lead', asks: true }),
        say(11, 24_042, 'ada', 'dm-ada', { asks: true, file: true }),
        say(12, 24_248, 'ada', 'dm-ada', { calls: 'builder', file: true }),
        say(14, 20_638, 'ada', 'ops', { calls: '@reviews', asks: true }),
      ],
      chaosMs: 29_781,
    },
  ],
  [
    'seed 1380209: the answer of a turn was under way when its harness died again, and what the turn had failed at was asked anew beside it',
    {
      seed: 1_380_209,
      cast: { ...CAST, agents: ['lead', 'builder'], rooms: ROOMS.slice(0, 3), pulls: true },
      faults: [
        { type: 'twin', at: 12_940, agent: 'builder' },
        { type: 'twin', at: 19_660, agent: 'builder' },
        { type: 'reads', share: 1, mostMs: 40, from: 17_191, until: 24_626 },
      ],
      steps: [
        say(3, 3_654, 'ada', 'dm-ada', { calls: 'lead', asks: true }),
        say(4, 7_373, 'bob', 'dm-ada', { calls: 'builder', asks: true }),
        say(7, 8_288, 'ada', 'dm-ada', { calls: 'builder' }),
        say(10, 8_971, 'ada', 'dm-ada', { calls: 'builder', asks: true }),
        say(11, 12_770, 'ada', 'dm-ada', { calls: 'builder', asks: true }),
      ],
      chaosMs: 24_626,
    },
  ],
  [
    'seed 1328613: a line was deleted out of what a turn had pulled, and the rest was asked again after the turn had answered it',
    {
      seed: 1_328_613,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        rooms: ROOMS.slice(0, 2),
        pulls: true,
        puller: 'builder',
      },
      faults: [],
      steps: [
        say(2, 5_093, 'bob', 'general', { calls: 'builder', asks: true }),
        say(3, 5_155, 'bob', 'ops', { calls: 'builder' }),
        say(6, 6_463, 'bob', 'ops', { calls: '@reviews', asks: true }),
        say(7, 6_832, 'bob', 'ops', { calls: 'builder', asks: true, chars: 6_000 }),
        { id: 10, at: 9_982, type: 'delete', of: 3 },
      ],
      chaosMs: 16_797,
    },
  ],
  [
    'seed 1610487, with slow reads: an answer that waits for a person was under way when its harness died, and the next turn answered too',
    {
      seed: 1_610_487,
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada'],
        rooms: ROOMS.slice(0, 3),
        asksPeople: true,
      },
      faults: [
        { type: 'harness_dies', at: 4_831, agent: 'lead', downMs: 0 },
        { type: 'reads', share: 0.5, mostMs: 60, from: 2_000, until: 14_154 },
      ],
      steps: [
        say(3, 106, 'ada', 'ops', { calls: '@reviews', asks: true }),
        say(4, 106, 'ada', 'ops', { calls: 'lead' }),
        { id: 5, at: 676, type: 'react', by: 'ada', of: 3, signal: 'seen' },
        say(7, 4_933, 'ada', 'ops', { calls: 'lead' }),
      ],
      chaosMs: 14_154,
    },
  ],
  [
    'seed 1611116: a turn had answered and could not tell its end, and a line that was edited then brought the other line of its question back',
    {
      seed: 1_611_116,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada'],
        rooms: ROOMS.slice(0, 2),
        puller: 'builder',
      },
      faults: [{ type: 'store', fault: 'lost', share: 0.5, from: 1_138, until: 8_345 }],
      steps: [
        say(1, 0, 'ada', 'ops', { calls: '@reviews', asks: true }),
        say(2, 723, 'ada', 'ops', { calls: 'builder', asks: true }),
        say(3, 864, 'ada', 'ops', { calls: 'builder', asks: true }),
        { id: 5, at: 3_345, type: 'edit', of: 3 },
      ],
      chaosMs: 8_345,
    },
  ],
  [
    'seed 1611116, edited before the answer: the line that was not edited is asked again with the other, which is no second answer',
    {
      seed: 1_611_116,
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada'],
        rooms: ROOMS.slice(0, 2),
        puller: 'builder',
      },
      faults: [],
      steps: [
        say(1, 0, 'ada', 'ops', { calls: '@reviews', asks: true }),
        say(2, 723, 'ada', 'ops', { calls: 'builder', asks: true }),
        say(3, 864, 'ada', 'ops', { calls: 'builder', asks: true }),
        { id: 5, at: 2_600, type: 'edit', of: 3 },
      ],
      chaosMs: 8_345,
    },
  ],
];
