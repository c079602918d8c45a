// Applies the effects of the fold, in the same unit as the record that caused them. Acknowledgements and signals go to
// the outbox, open deliveries are superseded or amended, a stopped loop is escalated, a claim makes its offer rest.
import type { Decision, Effect, LoopCause } from '../../attention/index.ts';
import { claimedId, loopStoppedId } from '../../protocol/derived-id.ts';
import { deliveryKey } from '../../protocol/identity.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { deadlineOf, decisionOf, newDelivery, newestOf } from '../delivery/delivery-row.ts';
import { deferUntil, queueDelivery, releaseHeld, settle, supersede } from '../delivery/move.ts';
import { restOffer } from '../delivery/offers.ts';
import { fileItem, inboxKeys } from '../inbox/inbox-row.ts';
import { type Change, addChange, mergeChanges, noChange } from '../kernel/change.ts';
import { agentName, leadOf } from '../kernel/context.ts';
import { newAcknowledgement, newSignal, queueSend } from '../outbox/outbox-row.ts';
import { acknowledgement, dialAcknowledgement } from './acknowledgements.ts';
import { applyEdit, applyDelete, withdrawDeliveries } from './amend.ts';
import { type CommitView, spokenBy, visibilityIn } from './commit-view.ts';

export function applyEffects(
  commit: CommitView,
  effects: readonly Effect[],
  delivered: readonly DeliveryRow[],
): Change {
  const parts = effects.map((effect) => applyOne(commit, effect, delivered));
  if (commit.row.type === 'delete') parts.push(applyDelete(commit));
  return mergeChanges(parts);
}

function applyOne(commit: CommitView, effect: Effect, delivered: readonly DeliveryRow[]): Change {
  switch (effect.type) {
    case 'acknowledge':
      return acknowledge(commit, effect);
    case 'signal': {
      // `seen` waits for the compose window, because the next line may turn thanks into a question.
      const delayMs = effect.signal === 'seen' ? commit.roster.limits.composeMs : 0;
      const [glyph] = commit.context.glyphsOf(effect.agent)[effect.signal];
      const row = newSignal(spokenBy(commit, effect), effect.signal, glyph, delayMs);
      return queueSend(row, delayMs > 0);
    }
    case 'cancel_turn': {
      const { conversation, seq } = commit.row;
      const { agent, why: reason } = effect;
      return { writes: [], news: [{ type: 'cancel_turn', agent, conversation, reason, seq }] };
    }
    case 'supersede':
      // applyDelete ends the deliveries about a deleted message, for every agent at once.
      return effect.why === 'deleted' ? noChange() : withdrawDeliveries(commit, effect.agent, effect.why);
    case 'amend':
      return applyEdit(commit, effect);
    case 'escalate':
      return escalateLoop(commit, effect);
    case 'claim_granted':
      return claimGranted(commit, effect, delivered);
    case 'opinion':
      return opinionGiven(commit, effect);
    case 'mode':
    case 'dial':
    case 'claim_refused':
    case 'claim_released':
    case 'refused':
      return noChange(); // the tool call reads these effects, and the log row has the rest
  }
}

/** Nothing, once the line was handed over or is no longer waited with. */
function opinionGiven(
  { view, row, roster }: CommitView,
  { agent, eventId, verdict }: Extract<Effect, { type: 'opinion' }>,
): Change {
  const held = view.row('delivery', deliveryKey(eventId, agent));
  if (held === undefined || held.state !== 'held' || held.dueFor !== 'hand') return noChange();
  if (verdict === 'not_for') return supersede(held, 'second_opinion', row.at);
  return releaseHeld(held, deadlineOf(decisionOf(held), row.at, roster.limits.deadlineMs));
}

/** The poster carries out a stop or leave before it posts this row (send/post.ts). */
function acknowledge(commit: CommitView, effect: Extract<Effect, { type: 'acknowledge' }>): Change {
  const { kind } = commit.conversation.place.conversation;
  const text =
    effect.dial === undefined
      ? acknowledgement(effect.template, effect.mode, kind, effect.language)
      : dialAcknowledgement(effect.dial, effect.language);
  const said = { text, visibility: visibilityIn(commit), mentions: [] };
  return queueSend(newAcknowledgement(spokenBy(commit, effect), effect.template, said));
}

const STOPPED_BECAUSE: Record<LoopCause, string> = {
  repeating: 'were repeating themselves',
  unproductive: 'kept asking each other and nothing was answered',
  told: 'were told to stop',
};

/**
 * Says once that two agents were stopped, where somebody is who can release them: in the room, when people are there;
 * else to the lead, or to a person when there is no lead or the lead is one of the two.
 */
function escalateLoop(commit: CommitView, effect: Extract<Effect, { type: 'escalate' }>): Change {
  if (effect.people > 0) return tellRoom(commit, effect);
  const { context, row } = commit;
  const { eventId, agents, cause } = effect;
  const lead = agents.map((agent) => leadOf(context, agent)).find((found) => found !== undefined);
  const detail = { cause, conversation: row.conversation };
  if (lead === undefined || agents.includes(lead)) {
    return fileItem(
      { key: inboxKeys.loopStopped(eventId), kind: 'loop_stopped', eventId, agents, detail },
      row.at,
    );
  }
  const decision: Decision = {
    eventId: loopStoppedId(eventId),
    refersTo: eventId,
    agent: lead,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'must_respond',
    mode: 'notify',
    context: 'none',
    reason: 'loop_stopped',
    intent: 'blocker',
    priority: 'normal',
    trace: { rung: 'act', row: 'loop_stopped', facts: { cause, agents: agents.join(' ') } },
  };
  const dueAt = row.at + commit.roster.limits.deadlineMs;
  const more = { escalation: detail };
  return queueDelivery(
    newDelivery({ about: row, decision, dueAt, dueFor: 'deadline', now: row.at, detail: more }),
    row,
  );
}

/** One line in the room, said for the agent that was not woken. It is for people: no agent is asked anything by it. */
function tellRoom(commit: CommitView, effect: Extract<Effect, { type: 'escalate' }>): Change {
  const { agents, cause, eventId } = effect;
  const agent = agents.at(-1);
  if (agent === undefined) return noChange();
  const who = agents.map((id) => agentName(commit.context, id)).join(' and ');
  const text = `${who} ${STOPPED_BECAUSE[cause]}, so they are stopped here. Mention one of them to let them go on.`;
  const said = { text, visibility: visibilityIn(commit), mentions: [], directedness: 'ambient' } as const;
  return queueSend(newAcknowledgement(spokenBy(commit, { agent, eventId }), 'loop', said));
}

/**
 * The claim was granted. The offer rests while the claim lasts; holders who have not had it keep their place. The
 * claimant's own delivery becomes `claimed`, or is settled when the claim delivers the text under a new id.
 */
function claimGranted(
  { view, row, roster }: CommitView,
  effect: Extract<Effect, { type: 'claim_granted' }>,
  delivered: readonly DeliveryRow[],
): Change {
  const change = noChange();
  const offer = view.row('offer', effect.event);
  for (const agent of roster.agents) {
    // An earlier holder whose claim ran out still has the text. It must not answer any more.
    const had = newestOf(view, deliveryKey(claimedId(effect.event), agent.id));
    if (had !== undefined && agent.id !== effect.agent)
      addChange(change, supersede(had, 'claimed_by_other', row.at));
    const pending = view.row('delivery', deliveryKey(effect.event, agent.id));
    if (pending === undefined || pending.open === 0) continue;
    if (agent.id === effect.agent) {
      const staysOpen = delivered.length === 0;
      addChange(
        change,
        staysOpen ? deferUntil(pending, 'claimed', effect.until) : settle(pending, 'claimed', null, row.at),
      );
    } else if (offer !== undefined && pending.state !== 'held') {
      addChange(change, supersede(pending, 'claimed_by_other', row.at));
    }
  }
  addChange(change, restOffer(offer, effect.until));
  return change;
}
