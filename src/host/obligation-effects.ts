// Effects of the obligations fold, carried out: returns and escalations become deliveries to one agent (an injected
// knock, never the content), or a row in the humans' inbox on the human rung; a discharge withdraws what is pending.
import type { Decision, ObligationEffect } from '../attention/index.ts';
import type { Identity } from '../protocol/identity.ts';
import { parseIdentity } from '../protocol/identity.ts';
import type { LogRow } from '../store/tables.ts';
import { hostDelivery } from './deliveries.ts';
import { type Carried, nothingCarried } from './scene.ts';

interface ObligationScene {
  /** The record that caused it; a tick has none and returns refer to the logged question. */
  row: LogRow;
}

type Knocks = Extract<ObligationEffect, { derivedId: string }>;

export function carryOutObligations(scene: ObligationScene, effects: readonly ObligationEffect[]): Carried {
  const carried = nothingCarried();
  for (const effect of effects) {
    const part = carryOutOne(scene, effect);
    carried.writes.push(...part.writes);
    carried.news.push(...part.news);
  }
  return carried;
}

function carryOutOne(scene: ObligationScene, effect: ObligationEffect): Carried {
  switch (effect.type) {
    case 'return':
    case 'escalate':
    case 'reciprocal':
      return knock(scene, effect);
    case 'refused':
    case 'held':
    case 'opened':
    case 'resumed':
      return nothingCarried(); // the log row and the open set show it
    case 'discharged': {
      // An inbox row on the human rung closes with its obligation.
      return { writes: [], news: [{ type: 'due' }] };
    }
  }
}

function knock(scene: ObligationScene, effect: Knocks): Carried {
  const recipient = parseIdentity(effect.recipient);
  const { row } = scene;
  const detail = knockDetail(effect);
  if (recipient?.kind !== 'agent') {
    const key = `obligation:${effect.derivedId}`;
    return {
      writes: [
        {
          table: 'inbox',
          row: {
            key,
            kind: 'obligation',
            eventId: effect.eventId,
            agents: agentsOf([effect.recipient, effect.author]),
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
  const delivery = hostDelivery(
    { row, at: row.at, deadlineMs: null },
    returnDecision(effect, recipient.id),
    detail,
  );
  return {
    writes: [{ table: 'delivery', row: delivery }],
    news: [{ type: 'deliver', delivery, event: row }],
  };
}

function returnDecision(effect: Knocks, agent: string): Decision {
  return {
    eventId: effect.derivedId,
    refersTo: effect.refersTo,
    agent,
    decision: 'engage',
    directedness: 'to_me',
    policy: 'must_respond',
    mode: 'notify',
    context: 'none',
    reason: 'obligation',
    intent: 'question',
    priority: 'normal',
    trace: {
      rung: 'act',
      row: 'obligation',
      facts: { kind: effect.type, ageMs: effect.ageMs, blocks: effect.blocks },
    },
  };
}

function knockDetail(effect: Knocks): Record<string, unknown> {
  const { ageMs, blocks, defaultAction, author, obligationId, topic } = effect;
  return {
    obligation: { blocks, defaultAction },
    obligationId,
    ageMs,
    owedTo: author,
    topic,
    kind: effect.type,
  };
}

function agentsOf(identities: readonly Identity[]): string[] {
  return identities.flatMap((who) => {
    const parsed = parseIdentity(who);
    return parsed?.kind === 'agent' ? [parsed.id] : [];
  });
}
