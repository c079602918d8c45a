// Who plays in the demo. Their ids and roles are in the demo configuration.
import { BUILDER } from './builder.ts';
import { LEAD } from './lead.ts';
import { REVIEWER } from './reviewer.ts';
import type { DemoScript } from './script.ts';

export const CAST: readonly DemoScript[] = [LEAD, BUILDER, REVIEWER];
