// Effects of the fold, carried out in the same transaction as the record that caused them: acknowledgements and
// signals go to the outbox, pending deliveries are superseded or amended, loops are escalated, claims end offers.
import type { Decision, Effect } from '../attention/index.ts';
import { deliveryKey } from '../protocol/identity.ts';
import { defaultGlyph } from '../protocol/glyphs.ts';
import type { DeliveryRow, OutboxRow } from '../store/tables.ts';
import { amend, amendDelete, withdraw } from './amend.ts';
import { hostDelivery } from './deliveries.ts';
import { putOff, settle, supersede } from './delivery-state.ts';
import { leadOf } from './directory.ts';
import { type Carried, type Scene, join, nothingCarried } from './scene.ts';
import { ACKNOWLEDGEMENTS } from './templates.ts';

export function carryOut(
  scene: Scene,
  effects: readonly Effect[],
  delivered: readonly DeliveryRow[],
): Carried {
  if (effects.length === 0) return amendDelete(scene);
  return join([...effects.map((effect) => carryOutOne(scene, effect, delivered)), amendDelete(scene)]);
}

function carryOutOne(scene: Scene, effect: Effect, delivered: readonly DeliveryRow[]): Carried {
  switch (effect.type) {
    case 'acknowledge': {
      const text = ACKNOWLEDGEMENTS[effect.template][effect.mode];
      const body = { text, visibility: visibilityHere(scene), mentions: [], template: effect.template };
      return toOutbox(scene, effect.agent, 'message', `ack-${effect.template}`, effect.eventId, body, 0);
    }
    case 'signal': {
      const body = {
        targetEventId: effect.eventId,
        signal: effect.signal,
        glyph: defaultGlyph(effect.signal),
      };
      // Thanks wait the compose window too: what follows may turn them into a question.
      const delay = effect.signal === 'seen' ? scene.roster.limits.composeMs : 0;
      return toOutbox(scene, effect.agent, 'reaction', effect.signal, effect.eventId, body, delay);
    }
    case 'cancel_turn': {
      const { conversation } = scene.row;
      return {
        writes: [],
        news: [
          { type: 'cancel_turn', agent: effect.agent, conversation, reason: effect.why, seq: scene.row.seq },
        ],
      };
    }
    case 'supersede':
      // What a deletion ends is ended by amendDelete, for everybody it reached.
      return effect.why === 'deleted' ? nothingCarried() : withdraw(scene, effect.agent, effect.why);
    case 'amend':
      return amend(scene, effect);
    case 'escalate':
      return escalateLoop(scene, effect);
    case 'claim_granted':
      return claimGranted(scene, effect, delivered);
    case 'cursor': {
      const key = `${effect.agent} ${scene.row.conversation}`;
      return { writes: [{ table: 'cursor', row: { key, seq: effect.seq } }], news: [] };
    }
    case 'mode':
    case 'claim_refused':
    case 'claim_released':
    case 'refused':
      return nothingCarried(); // the caller that asked is answered; the log row has the rest
  }
}

function visibilityHere(scene: Scene): 'dm' | 'thread' | 'channel' {
  const { kind } = scene.conversation.place.conversation;
  return kind === 'dm' || kind === 'thread' ? kind : 'channel';
}

/** Apart from every key an agent may choose: those follow its id with a colon, and ids hold neither sign. */
export function hostKey(agent: string, purpose: string, eventId: string): string {
  return `${agent}/${purpose}:${eventId}`;
}

/** Said by the host for the agent: keyed by event and purpose, so that a repeat is the same row. */
function toOutbox(
  scene: Scene,
  agent: string,
  kind: OutboxRow['kind'],
  purpose: string,
  eventId: string,
  body: Record<string, unknown>,
  delayMs: number,
): Carried {
  const { row, conversation } = scene;
  const key = hostKey(agent, purpose, eventId);
  const outbox: OutboxRow = {
    key,
    agent,
    surface: conversation.surface,
    conversation: row.conversation,
    kind,
    state: 'queued',
    eventId: `${eventId}/${purpose}-${agent}`,
    inReplyTo: eventId,
    turnId: null,
    bodyHash: purpose,
    body,
    attempt: 0,
    dueAt: row.at + delayMs,
    createdAt: row.at,
    platformId: null,
    error: null,
  };
  return {
    writes: [{ table: 'outbox', row: outbox }],
    news: [{ type: delayMs > 0 ? 'due' : 'outbox', key }],
  };
}

/** To the lead, unless the lead is in the loop: then to a human. Once per stop. */
function escalateLoop(scene: Scene, effect: Extract<Effect, { type: 'escalate' }>): Carried {
  const { context, row } = scene;
  const lead = effect.agents.map((agent) => leadOf(context, agent)).find((found) => found !== undefined);
  const detail = { cause: effect.cause, conversation: row.conversation };
  if (lead === undefined || effect.agents.includes(lead)) {
    const key = `loop:${effect.eventId}`;
    return {
      writes: [
        {
          table: 'inbox',
          row: {
            key,
            kind: 'loop_stopped',
            eventId: effect.eventId,
            agents: effect.agents,
            detail,
            createdAt: row.at,
            closedAt: null,
            open: 1,
          },
        },
      ],
      news: [{ type: 'inbox', key }],
    };
  }
  const decision: Decision = {
    eventId: `${effect.eventId}/loop-stopped`,
    refersTo: effect.eventId,
    agent: lead,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'must_respond',
    mode: 'notify',
    context: 'none',
    reason: 'loop_stopped',
    intent: 'blocker',
    priority: 'normal',
    trace: {
      rung: 'act',
      row: 'loop_stopped',
      facts: { cause: effect.cause, agents: effect.agents.join(' ') },
    },
  };
  const dueAt = row.at + scene.roster.limits.deadlineMs;
  const delivery = hostDelivery({ row, at: row.at, dueAt }, decision, { escalation: detail });
  return {
    writes: [{ table: 'delivery', row: delivery }],
    news: [{ type: 'deliver', delivery, event: row }],
  };
}

/**
 * The event is taken. Its offer rests while the claim lives and goes on when it ends unanswered: holders who have not
 * had it yet keep their place. The claimant's own delivery is claimed: settled where the body comes under a new id.
 */
function claimGranted(
  scene: Scene,
  effect: Extract<Effect, { type: 'claim_granted' }>,
  delivered: readonly DeliveryRow[],
): Carried {
  const { view, row } = scene;
  const carried = nothingCarried();
  const offer = view.row('offer', effect.event);
  for (const agent of scene.roster.agents) {
    const pending = view.row('delivery', deliveryKey(effect.event, agent.id));
    if (pending === undefined || pending.open === 0) continue;
    const mine = agent.id === effect.agent;
    if (!mine && (offer === undefined || pending.state === 'held')) continue;
    const next = mine
      ? delivered.length === 0
        ? putOff(pending, 'claimed', effect.until)
        : settle(pending, 'claimed', null, row.at)
      : supersede(pending, 'claimed_by_other', row.at);
    if (next === undefined) continue;
    carried.writes.push({ table: 'delivery', row: next });
    if (!mine) carried.news.push({ type: 'withdraw', delivery: next, reason: 'claimed_by_other' });
    else carried.news.push(next.open === 0 ? { type: 'settled', delivery: next } : { type: 'due' });
  }
  if (offer !== undefined && offer.open === 1) {
    carried.writes.push({ table: 'offer', row: { ...offer, dueAt: effect.until } });
    carried.news.push({ type: 'due' });
  }
  return carried;
}
