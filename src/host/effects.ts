// Effects of the fold, carried out in the same transaction as the record that caused them: acknowledgements and
// signals go to the outbox, pending deliveries are superseded or amended, loops are escalated, claims end offers.
import type { Decision, Effect } from '../attention/index.ts';
import { deliveryKey } from '../protocol/identity.ts';
import { SIGNAL_TABLE } from '../protocol/vocabulary.ts';
import type { DeliveryRow, OutboxRow } from '../store/tables.ts';
import { hostDelivery } from './deliveries.ts';
import { settle, supersede } from './delivery-state.ts';
import { leadOf } from './directory.ts';
import { type Carried, type Scene, nothingCarried } from './scene.ts';
import { ACKNOWLEDGEMENTS } from './templates.ts';

export function carryOut(
  scene: Scene,
  effects: readonly Effect[],
  delivered: readonly DeliveryRow[],
): Carried {
  const carried = nothingCarried();
  for (const effect of effects) {
    const part = carryOutOne(scene, effect, delivered);
    carried.writes.push(...part.writes);
    carried.news.push(...part.news);
  }
  return carried;
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
        glyph: SIGNAL_TABLE[effect.signal].glyph,
      };
      // Thanks wait the compose window too: what follows may turn them into a question.
      const delay = effect.signal === 'seen' ? scene.roster.limits.composeMs : 0;
      return toOutbox(scene, effect.agent, 'reaction', effect.signal, effect.eventId, body, delay);
    }
    case 'cancel_turn': {
      const { conversation } = scene.row;
      return {
        writes: [],
        news: [{ type: 'cancel_turn', agent: effect.agent, conversation, reason: effect.why }],
      };
    }
    case 'supersede':
      return withdraw(scene, effect.agent, effect.eventId, effect.why);
    case 'amend':
      return amend(scene, effect);
    case 'escalate':
      return escalateLoop(scene, effect);
    case 'claim_granted':
      return endOffer(scene, effect, delivered);
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
  const key = `${agent}:${purpose}:${eventId}`;
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

function withdraw(scene: Scene, agent: string, eventId: string, why: string): Carried {
  const pending = scene.view.row('delivery', deliveryKey(eventId, agent));
  const next = pending === undefined ? undefined : supersede(pending, why, scene.row.at);
  if (next === undefined) return nothingCarried();
  return {
    writes: [{ table: 'delivery', row: next }],
    news: [{ type: 'withdraw', delivery: next, reason: why }],
  };
}

/**
 * The text changed and the event still stands. Not handed yet: the edit is what is handed. Handed, nothing sent: the
 * old delivery is withdrawn and the edit goes out under a derived id, so that the harness starts again.
 */
function amend(scene: Scene, effect: Extract<Effect, { type: 'amend' }>): Carried {
  const pending = scene.view.row('delivery', deliveryKey(effect.eventId, effect.agent));
  if (pending === undefined || pending.open === 0 || pending.sends > 0) return nothingCarried();
  if (pending.state === 'queued' || pending.state === 'held') {
    const next: DeliveryRow = { ...pending, source: effect.by, detail: { ...pending.detail, edited: true } };
    const news: Carried['news'] =
      next.state === 'queued' ? [{ type: 'deliver', delivery: next, event: scene.row }] : [];
    return { writes: [{ table: 'delivery', row: next }], news };
  }
  const old = supersede(pending, 'edited', scene.row.at);
  if (old === undefined) return nothingCarried();
  const decision = pending.detail['decision'] as Decision;
  const eventId = `${effect.eventId}/edit-${scene.row.seq}`;
  const again = hostDelivery(
    {
      row: scene.row,
      at: scene.row.at,
      deadlineMs: pending.policy === 'must_respond' ? scene.roster.limits.deadlineMs : null,
    },
    { ...decision, eventId, refersTo: effect.eventId },
    { edited: true },
  );
  return {
    writes: [
      { table: 'delivery', row: old },
      { table: 'delivery', row: again },
    ],
    news: [
      { type: 'withdraw', delivery: old, reason: 'edited' },
      { type: 'deliver', delivery: again, event: scene.row },
    ],
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
  const delivery = hostDelivery({ row, at: row.at, deadlineMs: scene.roster.limits.deadlineMs }, decision, {
    escalation: detail,
  });
  return {
    writes: [{ table: 'delivery', row: delivery }],
    news: [{ type: 'deliver', delivery, event: row }],
  };
}

/** The event is taken: its offer rests while the claim lives, and the other holders need not look at it. */
function endOffer(
  scene: Scene,
  effect: Extract<Effect, { type: 'claim_granted' }>,
  delivered: readonly DeliveryRow[],
): Carried {
  const carried = nothingCarried();
  const { view, row } = scene;
  for (const agent of scene.roster.agents) {
    const pending = view.row('delivery', deliveryKey(effect.event, agent.id));
    if (pending === undefined || pending.open === 0) continue;
    if (agent.id !== effect.agent && scene.view.row('offer', effect.event) === undefined) continue;
    const mine = agent.id === effect.agent;
    if (mine && delivered.length === 0) continue;
    const next = mine
      ? settle(pending, 'claimed', null, row.at)
      : supersede(pending, 'claimed_by_other', row.at);
    if (next === undefined) continue;
    carried.writes.push({ table: 'delivery', row: next });
    carried.news.push(
      mine
        ? { type: 'settled', delivery: next }
        : { type: 'withdraw', delivery: next, reason: 'claimed_by_other' },
    );
  }
  const offer = view.row('offer', effect.event);
  if (offer !== undefined && offer.open === 1) {
    // Looked at again when the claim ends: an unanswered event goes to the next holder.
    carried.writes.push({ table: 'offer', row: { ...offer, dueAt: effect.until } });
    carried.news.push({ type: 'due' });
  }
  return carried;
}
