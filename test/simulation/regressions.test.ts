// What the simulation has found, each as the smallest plan that showed it. The title says what was wrong.
import { expect, it } from 'vitest';
import { FOUND_HELD } from './found-held.ts';
import { FOUND_TWICE } from './found-twice.ts';
import { FOUND_LATER } from './found.ts';
import { castOf, type Found } from './found-parts.ts';
import type { Plan } from './plan.ts';
import { runPlan } from './run.ts';

const GENERAL = { id: 'general', kind: 'channel', platform: 'chat' } as const;
const CAST = castOf(['lead', 'builder', 'reviewer']);
const plan = (seed: number, more: Partial<Plan>): Plan => ({
  seed,
  cast: CAST,
  steps: [],
  faults: [],
  chaosMs: 20_000,
  ...more,
});

const FOUND: Found = [
  [
    'seed 7: a half-open connection left an agent waiting for ever, because only the host listened for silence',
    plan(7, {
      cast: { ...CAST, agents: ['lead', 'builder'] },
      faults: [{ type: 'half_open', at: 11_682, agent: 'builder' }],
    }),
  ],
  [
    'seed 1: an agent gave up telling the end of a turn after two seconds of a full disk, and the event stayed open',
    plan(1, {
      faults: [{ type: 'store', fault: 'full', share: 0.5, from: 4_682, until: 10_085 }],
      steps: [{ id: 1, at: 0, type: 'say', by: 'bob', room: 'general', calls: '@reviews', asks: true }],
      chaosMs: 10_085,
    }),
  ],
  [
    'seed 46: the same with the start of a turn',
    plan(46, {
      cast: { ...CAST, rooms: [GENERAL, { id: 'ops', kind: 'channel', platform: 'desk' }], asksPeople: true },
      faults: [{ type: 'store', fault: 'full', share: 0.2, from: 13_145, until: 16_631 }],
      steps: [
        { id: 4, at: 2_882, type: 'say', by: 'bob', room: 'general', calls: 'reviewer', asks: true },
        { id: 6, at: 8_057, type: 'say', by: 'bob', room: 'general', asks: true },
        { id: 7, at: 11_707, type: 'edit', of: 6 },
      ],
      chaosMs: 25_215,
    }),
  ],
  [
    'seed 84: a debt in a thread that escalated stopped every timer of the host for good',
    plan(84, {
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        people: ['ada', 'bob', 'cy'],
        asksPeople: true,
        pulls: true,
      },
      steps: [
        { id: 8, at: 8_715, type: 'say', by: 'bob', room: 'general', calls: 'lead', asks: false },
        {
          id: 9,
          at: 8_715,
          type: 'say',
          by: 'bob',
          room: 'general',
          calls: 'builder',
          asks: true,
          thread: 8,
          owed: true,
        },
      ],
    }),
  ],
  [
    'seed 140: an answer that nobody agreed to was asked for again, although the agent had answered otherwise',
    plan(140, {
      cast: {
        ...CAST,
        people: ['ada', 'bob', 'cy'],
        rooms: [GENERAL, { id: 'ops', kind: 'channel', platform: 'desk' }],
        asksPeople: true,
        pulls: true,
      },
      faults: [
        { type: 'store', fault: 'kept', share: 0.2, from: 3_130, until: 15_038 },
        { type: 'twin', at: 11_978, agent: 'builder' },
      ],
      steps: [
        { id: 3, at: 4_194, type: 'say', by: 'ada', room: 'general', calls: 'builder', asks: true },
        { id: 4, at: 5_117, type: 'say', by: 'ada', room: 'general', calls: 'reviewer', asks: true },
        { id: 6, at: 5_616, type: 'say', by: 'bob', room: 'general', calls: 'builder', asks: true },
      ],
      chaosMs: 15_038,
    }),
  ],
  [
    'seed 574: the start of a turn that came after its own end took the events away from the next turn',
    plan(574, {
      cast: { ...CAST, agents: ['lead', 'builder'] },
      faults: [{ type: 'frames', fault: 'delay', share: 0.2, from: 7_120, until: 11_647 }],
      steps: [
        { id: 7, at: 8_146, type: 'say', by: 'ada', room: 'general', calls: 'builder', asks: true },
        { id: 8, at: 10_316, type: 'say', by: 'ada', room: 'general', calls: 'builder', asks: true },
      ],
      chaosMs: 15_316,
    }),
  ],
  [
    'seed 2890: the knock of an offer was withdrawn after the claim, and took the claimed event along',
    plan(2_890, {
      cast: {
        ...CAST,
        people: ['ada', 'bob', 'cy'],
        rooms: [GENERAL, { id: 'ops', kind: 'channel', platform: 'desk' }],
      },
      faults: [
        { type: 'frames', fault: 'drop', share: 0.2, from: 10_107, until: 22_806 },
        { type: 'crash', at: 6_863, moment: 'after_commit', nth: 8, downMs: 0, keepsUnsynced: false },
        { type: 'frames', fault: 'reset', share: 0.5, from: 18_961, until: 26_577 },
        { type: 'store', fault: 'full', share: 0.2, from: 8_616, until: 10_360 },
      ],
      steps: [
        { id: 3, at: 4_673, type: 'typing', by: 'ada', room: 'ops' },
        { id: 4, at: 9_333, type: 'say', by: 'cy', room: 'general', calls: 'lead', asks: true },
        { id: 5, at: 10_411, type: 'say', by: 'ada', room: 'ops', asks: false },
        { id: 6, at: 14_902, type: 'say', by: 'cy', room: 'ops', calls: '@reviews', asks: true },
        { id: 7, at: 15_792, type: 'say', by: 'cy', room: 'ops', calls: 'reviewer', asks: true },
      ],
      chaosMs: 27_306,
    }),
  ],
  [
    'seed 10153: a send whose turn had come, and that the store could not take, waited for an hour',
    plan(10_153, {
      cast: { ...CAST, agents: ['lead', 'builder', 'reviewer', 'scout'], asksPeople: true },
      faults: [
        { type: 'posts', fault: 'late', share: 0.5, from: 3_395, until: 15_957 },
        { type: 'store', fault: 'lost', share: 0.2, from: 9_681, until: 15_957 },
        { type: 'webhooks', fault: 'double', from: 3_176, until: 13_701 },
        { type: 'webhooks', fault: 'late', from: 8_443, until: 15_957 },
      ],
      steps: [
        { id: 1, at: 2_911, type: 'say', by: 'ada', room: 'general', calls: 'lead', asks: true },
        { id: 2, at: 2_911, type: 'say', by: 'bob', room: 'general', calls: 'lead', asks: true, owed: true },
        { id: 3, at: 4_786, type: 'react', by: 'ada', of: 1, signal: 'seen' },
        { id: 4, at: 8_808, type: 'say', by: 'bob', room: 'general', calls: '@reviews', asks: true },
        { id: 5, at: 10_913, type: 'say', by: 'bob', room: 'general', calls: 'scout', asks: true },
        { id: 7, at: 10_957, type: 'say', by: 'ada', room: 'general', calls: 'scout', asks: false },
      ],
      chaosMs: 15_957,
    }),
  ],
  [
    'seed 2650: an acknowledgement that the store could not take left a delivery queued for good',
    plan(2_650, {
      cast: { ...CAST, agents: ['lead', 'builder'], people: ['ada'], pulls: true },
      faults: [{ type: 'store', fault: 'lost', share: 0.2, from: 17_597, until: 28_435 }],
      steps: [
        { id: 6, at: 4_496, type: 'say', by: 'ada', room: 'general', calls: 'lead', asks: true, owed: true },
        { id: 7, at: 6_925, type: 'say', by: 'ada', room: 'general', asks: true },
        { id: 9, at: 10_733, type: 'say', by: 'ada', room: 'general', calls: 'lead', asks: true, owed: true },
        {
          id: 10,
          at: 13_267,
          type: 'say',
          by: 'ada',
          room: 'general',
          calls: 'builder',
          asks: true,
          thread: 6,
        },
        { id: 12, at: 16_313, type: 'say', by: 'ada', room: 'general', asks: false },
        { id: 13, at: 18_321, type: 'delete', of: 6 },
      ],
      chaosMs: 48_815,
    }),
  ],
  [
    'seed 800: a turn of several lines had answered when its harness died, and all lines but the last came again',
    plan(800, {
      cast: {
        ...CAST,
        agents: ['lead', 'builder'],
        rooms: [GENERAL, { id: 'ops', kind: 'channel', platform: 'desk' }],
        pulls: true,
      },
      faults: [
        { type: 'store', fault: 'slow', share: 0.5, from: 202, until: 11_138 },
        { type: 'flood', at: 3_715, room: 'ops', by: 'bob', count: 11 },
        { type: 'harness_dies', at: 8_667, agent: 'lead', downMs: 8_000 },
      ],
      chaosMs: 16_341,
    }),
  ],
  [
    'seed 30278: two harnesses with one identity each had a turn about the same lines, and both answered',
    plan(30_278, {
      cast: { ...CAST, people: ['ada'], pulls: true },
      faults: [
        { type: 'crash', at: 5_986, moment: 'before_commit', nth: 2, downMs: 3_000, keepsUnsynced: true },
        { type: 'twin', at: 10_837, agent: 'builder' },
        { type: 'store', fault: 'slow', share: 0.2, from: 11_355, until: 16_982 },
      ],
      steps: [
        { id: 1, at: 3_089, type: 'say', by: 'ada', room: 'general', calls: 'builder', asks: false },
        { id: 2, at: 3_274, type: 'say', by: 'ada', room: 'general', asks: true },
      ],
      chaosMs: 16_982,
    }),
  ],
  [
    'seed 30411: a turn had answered several lines and its end was never told, so the first came again as expired',
    plan(30_411, {
      cast: {
        ...CAST,
        rooms: [
          GENERAL,
          { id: 'ops', kind: 'channel', platform: 'desk' },
          { id: 'dm-ada', kind: 'dm', platform: 'chat' },
        ],
        pulls: true,
        puller: 'builder',
      },
      faults: [
        { type: 'half_open', at: 7_747, agent: 'reviewer' },
        { type: 'posts', fault: 'hang', share: 0.2, from: 6_819, until: 11_685 },
        { type: 'twin', at: 1_950, agent: 'reviewer' },
      ],
      steps: [
        { id: 2, at: 903, type: 'say', by: 'bob', room: 'dm-ada', calls: 'reviewer', asks: false },
        { id: 4, at: 5_571, type: 'say', by: 'bob', room: 'dm-ada', calls: 'reviewer', asks: true },
        { id: 5, at: 5_571, type: 'say', by: 'bob', room: 'dm-ada', asks: true },
      ],
      chaosMs: 11_685,
    }),
  ],
  [
    'seed 30621: an edit was dropped with the message it edits, whose turn was over and whose end was not told yet',
    plan(30_621, {
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada'],
        rooms: [
          GENERAL,
          { id: 'ops', kind: 'channel', platform: 'desk' },
          { id: 'dm-ada', kind: 'dm', platform: 'chat' },
        ],
        files: true,
      },
      faults: [
        { type: 'frames', fault: 'reorder', share: 0.5, from: 12_683, until: 17_115 },
        { type: 'frames', fault: 'reset', share: 0.2, from: 4_095, until: 15_166 },
      ],
      steps: [
        { id: 2, at: 3_786, type: 'say', by: 'ada', room: 'dm-ada', calls: 'scout', asks: true },
        { id: 4, at: 4_380, type: 'say', by: 'ada', room: 'dm-ada', asks: false },
        { id: 5, at: 5_139, type: 'delete', of: 2 },
        { id: 6, at: 6_530, type: 'say', by: 'ada', room: 'dm-ada', calls: 'lead', asks: false },
        { id: 7, at: 9_258, type: 'say', by: 'ada', room: 'dm-ada', calls: 'builder', asks: true },
        { id: 8, at: 9_515, type: 'say', by: 'ada', room: 'general', calls: '@reviews', asks: false },
        { id: 9, at: 9_834, type: 'edit', of: 4 },
      ],
      chaosMs: 17_115,
    }),
  ],
  [
    'seed 31995: a lease ended while the turn of a pull harness ran, and what the turn answered was handed out again',
    plan(31_995, {
      cast: {
        ...CAST,
        agents: ['lead', 'builder', 'reviewer', 'scout'],
        people: ['ada', 'bob', 'cy'],
        rooms: [GENERAL, { id: 'ops', kind: 'channel', platform: 'desk' }],
        pulls: true,
        puller: 'builder',
        files: true,
      },
      faults: [
        { type: 'flood', at: 14_177, room: 'ops', by: 'ada', count: 23 },
        { type: 'store', fault: 'kept', share: 0.5, from: 16_069, until: 22_424 },
        { type: 'store', fault: 'kept', share: 0.5, from: 9_449, until: 16_246 },
        { type: 'clock', at: 28_797, byMs: 6_659_927 },
      ],
      steps: [
        { id: 1, at: 3_572, type: 'typing', by: 'ada', room: 'ops' },
        { id: 2, at: 6_226, type: 'say', by: 'ada', room: 'general', calls: 'scout', asks: true },
        { id: 3, at: 6_834, type: 'say', by: 'bob', room: 'general', calls: 'reviewer', asks: true },
        {
          id: 4,
          at: 9_916,
          type: 'say',
          by: 'bob',
          room: 'general',
          calls: '@reviews',
          asks: true,
          file: true,
        },
        { id: 5, at: 13_575, type: 'say', by: 'bob', room: 'general', asks: true },
        { id: 8, at: 16_820, type: 'say', by: 'cy', room: 'ops', calls: 'builder', asks: false, file: true },
        { id: 9, at: 18_378, type: 'say', by: 'ada', room: 'ops', asks: false, file: true },
        {
          id: 10,
          at: 21_148,
          type: 'say',
          by: 'ada',
          room: 'ops',
          calls: 'builder',
          asks: false,
          file: true,
        },
        { id: 12, at: 24_138, type: 'say', by: 'cy', room: 'ops', asks: true },
      ],
      chaosMs: 29_250,
    }),
  ],
];

it.each([...FOUND, ...FOUND_LATER, ...FOUND_HELD, ...FOUND_TWICE])('%s', async (_, found) => {
  expect((await runPlan(found)).findings).toEqual([]);
});
