import { describe, expect, it } from 'vitest';
import { delivery } from './delivery.fixture.ts';
import { CHAT_DELIVER } from './draft-examples.fixture.ts';
import { fullEnvelopeSchema } from './envelope.ts';
import { projectFull } from './project.ts';

const required = {
  eventId: 'evt_1',
  conversation: { id: 'C1', kind: 'channel' },
  target: { directedness: 'ambient' },
  content: [{ type: 'text', text: 'hi' }],
  attention: { policy: 'must_not_respond' },
  injection: { mode: 'tool_mailbox' },
  reliability: { idempotencyKey: 'evt_1:agent_lead' },
};
const knock = projectFull(delivery({ mode: 'notify' })).knock;

describe('full envelope', () => {
  it("keeps every field of the draft's chat/deliver example", () => {
    const { params }: { params: unknown } = JSON.parse(CHAT_DELIVER);
    expect(fullEnvelopeSchema.parse(params)).toEqual(params);
  });

  it('needs nothing beyond what the draft calls required', () => {
    expect(fullEnvelopeSchema.parse(required)).toEqual(required);
  });

  it.each(Object.keys(required))('needs %s', (field) => {
    expect(fullEnvelopeSchema.safeParse({ ...required, [field]: undefined }).success).toBe(false);
  });

  it('drops members it does not know, so that a newer host is understood', () => {
    expect(fullEnvelopeSchema.parse({ ...required, later: 1 })).toEqual(required);
  });

  it.each([
    { name: 'a knock and no content', change: { content: undefined, knock }, accepted: true },
    { name: 'content beside the knock', change: { knock }, accepted: false },
    { name: 'empty content beside the knock', change: { content: [], knock }, accepted: false },
    { name: 'no knock', change: { content: undefined }, accepted: false },
  ])('takes a notify with $name: $accepted', ({ change, accepted }) => {
    const event = { ...required, injection: { mode: 'notify' }, ...change };
    expect(fullEnvelopeSchema.safeParse(event).success).toBe(accepted);
  });

  it('lets no host make chat a system message', () => {
    const event = { ...required, injection: { mode: 'buffered', role: 'system' } };
    expect(fullEnvelopeSchema.safeParse(event).success).toBe(false);
  });

  it.each([
    { conversation: { id: 'C1', kind: 'room' } },
    { target: { directedness: 'to_all' } },
    { target: { directedness: 'to_me', mentions: ['lead'] } },
    { attention: { policy: 'should_respond' } },
    { injection: { mode: 'loud' } },
    { eventId: '' },
    { content: 'hi' },
    { timing: { createdAt: 'yesterday' } },
    { reliability: { idempotencyKey: 'k', attempt: 0 } },
  ])('refuses words the draft does not have: %j', (change) => {
    expect(fullEnvelopeSchema.safeParse({ ...required, ...change }).success).toBe(false);
  });
});
