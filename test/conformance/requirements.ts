// The project's map of the mission: every behaviour that the two C2A drafts, the obligations extension and TypeClaw's
// engagement text require, one row each. Tests cite rows by id; coverage.test.ts fails on a row nobody cites.
import type { Requirement } from './requirement.ts';
import { C2A_06_02_EVENTS } from './requirements/c2a-2026-06-02-events.ts';
import { C2A_06_02_RUNNING } from './requirements/c2a-2026-06-02-running.ts';
import { C2A_06_24 } from './requirements/c2a-2026-06-24.ts';
import { OBLIGATIONS } from './requirements/obligations.ts';
import { TYPECLAW } from './requirements/typeclaw.ts';

export type { Area, Level, Requirement } from './requirement.ts';

export const REQUIREMENTS: readonly Requirement[] = [
  ...C2A_06_02_EVENTS,
  ...C2A_06_02_RUNNING,
  ...C2A_06_24,
  ...TYPECLAW,
  ...OBLIGATIONS,
];
