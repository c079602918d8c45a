// Decides one event again under other settings. It folds the state before the event from the log, then runs the same
// pure code on the same record.
import { type Decision, sameOutcome } from '../../attention/index.ts';
import { POLICY_WORDS } from '../../attention/trace-words.ts';
import type { WhatIfAnswer } from '../../protocol/operator-api.ts';
import { placeOf } from '../kernel/conversation.ts';
import { decisionForAgent } from '../kernel/log-row.ts';
import type { ServerContext } from '../http/context.ts';
import { findEvent } from './event-link.ts';
import { HttpError } from '../http/http-error.ts';
import { shownWithWords } from './plain-words.ts';
import { foldUpTo, Refold } from './refold.ts';
import { type UncheckedPatch, patchedSettings } from './settings-patch.ts';

export interface WhatIfRequest {
  eventId: string;
  /** The conversation, where several events have this id. */
  conversation?: string | undefined;
  agent: string;
  settings: UncheckedPatch;
}

export async function whatIf(
  context: ServerContext,
  { eventId, conversation, agent, settings }: WhatIfRequest,
): Promise<WhatIfAnswer> {
  const { context: host } = context.host;
  const { attention } = host;
  if (!attention.agents.some(({ id }) => id === agent)) {
    const known = attention.agents.map(({ id }) => id).join(', ');
    throw new HttpError(404, 'not_found', `There is no agent "${agent}": this host has ${known}.`);
  }
  const { row } = await findEvent(context, eventId, conversation);
  const place = placeOf(row.record.event);
  const roster = host.rosterAt(place);
  const other = new Refold(patchedSettings(attention, settings, { agent, place, roster }));
  const refold = new Refold(attention);
  const made = await foldUpTo(host, refold, row);
  const find = (decisions: readonly Decision[]) => decisions.find((one) => one.agent === agent);
  const now = find(refold.decide(row).decisions);
  const changed = find(other.decide(row, refold).decisions);
  const differs = !same(now, changed);
  return {
    eventId: row.key,
    agent,
    decided: shownWithWords(decisionForAgent(row, agent), roster),
    now: shownWithWords(now, roster),
    changed: shownWithWords(changed, other.rosterOf(row)),
    differs,
    words: differs
      ? `With this change ${agent} ${verb(changed)}; without it, it ${verb(now)}.`
      : `Nothing changes: ${agent} ${verb(now)} either way.`,
    ...made,
  };
}

function same(a: Decision | undefined, b: Decision | undefined): boolean {
  return a === undefined || b === undefined ? a === b : sameOutcome(a, b);
}

function verb(decision: Decision | undefined): string {
  return decision === undefined ? 'is not asked' : POLICY_WORDS[decision.policy];
}
