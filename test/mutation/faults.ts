// Every fault that the mutation check plants, one file per table of requirements.
import type { Fault } from './fault.ts';
import { EVENT_FAULTS } from './faults/c2a-2026-06-02-events.ts';
import { RUNNING_FAULTS } from './faults/c2a-2026-06-02-running.ts';
import { SHORT_FAULTS } from './faults/c2a-2026-06-24.ts';
import { OBLIGATION_FAULTS } from './faults/obligations.ts';
import { TYPECLAW_FAULTS } from './faults/typeclaw.ts';

export const FAULTS: readonly Fault[] = [
  ...EVENT_FAULTS,
  ...RUNNING_FAULTS,
  ...SHORT_FAULTS,
  ...TYPECLAW_FAULTS,
  ...OBLIGATION_FAULTS,
];
