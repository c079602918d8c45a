// Every column, in the order of the table.
import { ASK } from './ask.ts';
import type { Column } from './column.ts';
import { CORRECTION } from './correction.ts';
import { FIVE_MINUTE_OUTAGE } from './five-minute-outage.ts';
import { KILL_AND_RESTART } from './kill-and-restart.ts';
import { OTHER_AGENT } from './other-agent.ts';
import { PERMISSION_NO, PERMISSION_YES } from './permission.ts';
import { PROVIDER_ERROR } from './provider-error.ts';
import { THANKS } from './thanks.ts';

export const COLUMNS: readonly Column[] = [
  ASK,
  THANKS,
  OTHER_AGENT,
  CORRECTION,
  PERMISSION_YES,
  PERMISSION_NO,
  KILL_AND_RESTART,
  PROVIDER_ERROR,
  FIVE_MINUTE_OUTAGE,
];
