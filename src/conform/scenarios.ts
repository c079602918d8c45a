// Every scenario, in the order in which they are played.
import type { Scenario } from './scenario.ts';
import { ACT } from './scenarios/act.ts';
import { DELIVER } from './scenarios/deliver.ts';
import { SESSION } from './scenarios/session.ts';

export const SCENARIOS: readonly Scenario[] = [...SESSION, ...DELIVER, ...ACT];
