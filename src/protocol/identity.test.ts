import { describe, expect, it } from 'vitest';
import { deliveryKey, identity, parseIdentity } from './identity.ts';

describe('identity', () => {
  it.each([
    ['agent', 'lead', 'agent:lead'],
    ['human', 'U123', 'human:U123'],
    ['human', '@will:example.org', 'human:@will:example.org'],
    ['role', 'backend', 'role:backend'],
  ] as const)('joins and splits %s %s', (kind, id, text) => {
    expect(identity(kind, id)).toBe(text);
    expect(parseIdentity(text)).toEqual({ kind, id });
  });

  it.each(['lead', 'agent:', ':lead', 'bot:lead', '', ':'])('does not take %j for an identity', (text) => {
    expect(parseIdentity(text)).toBeUndefined();
  });

  it('does not prefix an id twice', () => {
    expect(identity('agent', 'agent:lead')).toBe('agent:lead');
    expect(identity('human', 'agent:lead')).toBe('human:agent:lead');
    expect(identity('agent', 'agent:')).toBe('agent:agent:');
  });

  it('keys a delivery as the draft does, by event and agent [C2A-06-02/envelope/idempotency-key]', () => {
    expect(deliveryKey('evt_123', 'lead')).toBe('evt_123:agent_lead');
    expect(deliveryKey('evt_123', 'worker')).not.toBe(deliveryKey('evt_123', 'lead'));
    expect(deliveryKey('evt_124', 'lead')).not.toBe(deliveryKey('evt_123', 'lead'));
  });
});
