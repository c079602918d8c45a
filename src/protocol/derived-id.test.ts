// Every kind of derived id: written, read back, and told from ids that only look derived.
import { describe, expect, it } from 'vitest';
import {
  claimedId,
  correctionId,
  DERIVED_KINDS,
  type DerivedId,
  type DerivedKind,
  derivationAs,
  derivationsOf,
  escalatedId,
  FOLLOW_UP_KINDS,
  followUpId,
  isDerivedId,
  isFollowUpId,
  ladderId,
  loopStoppedId,
  originId,
  outboxId,
  parseDerivedId,
  rootEventId,
  undeliveredId,
  withoutFollowUp,
} from './derived-id.ts';

const SENT = 'out_0f8b2c4e-5a6d-4c1b-9e7f-102132435465';

/** One of each kind. The ids are on the wire and in stored rows: they never change. */
const WRITTEN: Record<DerivedKind, { id: string; text: string; parsed: DerivedId }> = {
  claimed: { id: claimedId('x'), text: 'x/claimed', parsed: { kind: 'claimed', of: 'x' } },
  'loop-stopped': {
    id: loopStoppedId('x'),
    text: 'x/loop-stopped',
    parsed: { kind: 'loop-stopped', of: 'x' },
  },
  reminder: numbered(followUpId('x', 'reminder', 2), 'reminder', 2),
  expired: numbered(followUpId('x', 'expired', 2), 'expired', 2),
  lapsed: numbered(followUpId('x', 'lapsed', 3), 'lapsed', 3),
  retry: numbered(followUpId('x', 'retry', 10), 'retry', 10),
  edit: numbered(followUpId('x', 'edit', 2), 'edit', 2),
  return: numbered(ladderId('x', 'return', 1), 'return', 1),
  escalation: numbered(ladderId('x', 'escalation', 7), 'escalation', 7),
  unclear: numbered(ladderId('x', 'unclear', 8), 'unclear', 8),
  list: numbered(ladderId('x', 'list', 9), 'list', 9),
  correction: named(correctionId('x', 'lead'), 'correction', 'lead'),
  escalated: named(escalatedId('x', 'deploy-bot'), 'escalated', 'deploy-bot'),
  'ack-leave': named(outboxId('x', 'ack-leave', 'lead'), 'ack-leave', 'lead'),
  'ack-stop': named(outboxId('x', 'ack-stop', 'Lead.2'), 'ack-stop', 'Lead.2'),
  'ack-mode': named(outboxId('x', 'ack-mode', 'lead'), 'ack-mode', 'lead'),
  'ack-dial': named(outboxId('x', 'ack-dial', 'lead'), 'ack-dial', 'lead'),
  'ack-approval': named(outboxId('x', 'ack-approval', 'lead'), 'ack-approval', 'lead'),
  'ack-loop': named(outboxId('x', 'ack-loop', 'lead'), 'ack-loop', 'lead'),
  'ack-budget': named(outboxId('x', 'ack-budget', 'lead'), 'ack-budget', 'lead'),
  'ack-trouble': named(outboxId('x', 'ack-trouble', 'lead'), 'ack-trouble', 'lead'),
  'ack-gave-up': named(outboxId('x', 'ack-gave-up', 'lead'), 'ack-gave-up', 'lead'),
  'ack-question-gone': named(outboxId('x', 'ack-question-gone', 'lead'), 'ack-question-gone', 'lead'),
  'ack-away': named(outboxId('x', 'ack-away', 'lead'), 'ack-away', 'lead'),
  seen: named(outboxId('x', 'seen', 'lead'), 'seen', 'lead'),
  queued: named(outboxId('x', 'queued', '2'), 'queued', '2'),
  undelivered: {
    id: undeliveredId('x', SENT),
    text: 'x/undelivered-d-4c1b-9e7f-102132435465',
    parsed: { kind: 'undelivered', of: 'x', sent: 'd-4c1b-9e7f-102132435465' },
  },
};

function numbered(id: string, kind: Extract<DerivedId, { number: number }>['kind'], number: number) {
  return { id, text: `x/${kind}-${number}`, parsed: { kind, of: 'x', number } } as const;
}

function named(id: string, kind: Extract<DerivedId, { agent: string }>['kind'], agent: string) {
  return { id, text: `x/${kind}-${agent}`, parsed: { kind, of: 'x', agent } } as const;
}

describe('a derived id', () => {
  it.each(DERIVED_KINDS)('of the kind %s is written, read and reserved', (kind) => {
    const { id, text, parsed } = WRITTEN[kind];
    expect(id).toBe(text);
    expect(parseDerivedId(text)).toEqual(parsed);
    expect(isDerivedId(text)).toBe(true);
    expect(rootEventId(text)).toBe('x');
    expect(originId(text)).toBe('x');
  });

  it.each(DERIVED_KINDS)('of the kind %s may be derived from an id with slashes and line breaks', (kind) => {
    const of = 'T1/C2/1718.\n5';
    const text = of + WRITTEN[kind].text.slice(1);
    expect(parseDerivedId(text)).toEqual({ ...WRITTEN[kind].parsed, of });
    expect(rootEventId(text)).toBe(of);
  });

  it('may be derived more than once, and leads back to the event', () => {
    const id = 'q/unclear-8/return-2/reminder-3';
    expect(derivationsOf(id).map(({ kind }) => kind)).toEqual(['reminder', 'return', 'unclear']);
    expect(originId(id)).toBe('q/unclear-8/return-2');
    expect(rootEventId(id)).toBe('q');
    expect(rootEventId('q/escalation-1/list-3')).toBe('q');
    expect(rootEventId('q/claimed/retry-2')).toBe('q');
    expect(rootEventId('q/escalated-builder/expired-2')).toBe('q');
  });

  it('is found by its kind, below later endings too', () => {
    expect(derivationAs('q/claimed/retry-2', 'claimed')).toEqual({ kind: 'claimed', of: 'q' });
    expect(derivationAs('q/escalated-builder/retry-2', 'escalated')?.agent).toBe('builder');
    expect(derivationAs('q/escalation-1/return-2', 'escalation')?.number).toBe(1);
    expect(derivationAs('room/escalation-1/message', 'escalation')).toBeUndefined();
    expect(derivationAs('q/claimed', 'retry')).toBeUndefined();
  });

  it.each([
    'x',
    '',
    '/',
    '/claimed',
    '/edit-2',
    'claimed',
    'edit-2',
    'x/claimed/',
    'x/claimed/y',
    'x/Claimed',
    'x/claimed-2',
    'x/unclaimed',
    'x/edit',
    'x/edit-',
    'x/edit-page',
    'x/edit-0',
    'x/edit-02',
    'x/edit--2',
    'x/edit-2.5',
    'x/edit-2-3',
    'x/edit-2\n',
    'x/credit-2',
    'x/return-policy',
    'x/retry-1e3',
    'x/escalation-room',
    'x/escalated-',
    'x/escalated-a b',
    'x/escalated--lead',
    `x/escalated-${'a'.repeat(65)}`,
    'x/ack-lead',
    'x/ack-pause-lead',
    'x/ack-stop-',
    'x/seen',
    'x/queued-',
    'x/loop-stopped-1',
    'x/undelivered-',
    `x/undelivered-${'a'.repeat(25)}`,
    'x/undelivered-a/b',
    'https://example.org/edit-page',
    'tick/C1/2',
  ])('is not %j', (id) => {
    expect(parseDerivedId(id)).toBeUndefined();
    expect(isDerivedId(id)).toBe(false);
    expect(rootEventId(id)).toBe(id);
    expect(withoutFollowUp(id)).toBe(id);
  });
});

describe('a follow-up', () => {
  it.each(FOLLOW_UP_KINDS)('takes the place of a %s', (kind) => {
    expect(followUpId(`x/${kind}-2`, 'retry', 3)).toBe('x/retry-3');
    expect(isFollowUpId(`x/${kind}-2`)).toBe(true);
    expect(withoutFollowUp(`x/${kind}-2`)).toBe('x');
  });

  it.each(['x/claimed', 'x/return-1', 'x/escalated-lead', 'x/undelivered-abc', 'x/list-2', 'x'])(
    'is added to %s',
    (id) => {
      expect(followUpId(id, 'reminder', 2)).toBe(`${id}/reminder-2`);
      expect(isFollowUpId(id)).toBe(false);
    },
  );
});

describe('the id of what could not be posted', () => {
  it('may hold the id of an acknowledgement, which is not read as an ending of its own', () => {
    const sent = outboxId('T1/5', 'ack-stop', 'lead');
    const id = undeliveredId('T1/5', sent);
    expect(id).toBe('T1/5/undelivered-T1/5/ack-stop-lead');
    expect(parseDerivedId(id)).toEqual({ kind: 'undelivered', of: 'T1/5', sent: 'T1/5/ack-stop-lead' });
    expect(rootEventId(followUpId(id, 'retry', 2))).toBe('T1/5');
  });

  it('keeps the last 24 characters of what was sent', () => {
    const id = undeliveredId('x', outboxId('evt_0123456789', 'ack-leave', 'deploy-bot'));
    expect(id).toBe('x/undelivered-789/ack-leave-deploy-bot');
    expect(rootEventId(id)).toBe('x');
  });
});
