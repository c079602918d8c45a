// What the simulation has found, each as the smallest plan that showed it. The title says what was wrong.
import { expect, it } from 'vitest';
import type { Cast, Plan } from './plan.ts';
import { runPlan } from './run.ts';

const GENERAL = { id: 'general', kind: 'channel', platform: 'chat' } as const;
const CAST: Cast = {
  agents: ['lead', 'builder', 'reviewer'],
  people: ['ada', 'bob'],
  rooms: [GENERAL],
  asksPeople: false,
  pulls: false,
};
const plan = (seed: number, more: Partial<Plan>): Plan => ({
  seed,
  cast: CAST,
  steps: [],
  faults: [],
  chaosMs: 20_000,
  ...more,
});

const FOUND: readonly (readonly [what: string, plan: Plan])[] = [
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
];

it.each(FOUND)('%s', async (_, found) => {
  expect((await runPlan(found)).findings).toEqual([]);
});
