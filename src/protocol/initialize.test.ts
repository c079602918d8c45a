import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { agreedCapabilitiesSchema, HOST_CAPABILITIES, MINIMAL_CAPABILITIES } from './capabilities.ts';
import { INITIALIZE } from './draft-examples.fixture.ts';
import {
  DEFAULT_HOST_OFFER,
  type InitializeParams,
  initializeParamsSchema,
  initializeResultSchema,
  negotiate,
} from './initialize.ts';
import { PROTOCOL_VERSIONS } from './vocabulary.ts';

function agreed(offer: InitializeParams, host = DEFAULT_HOST_OFFER) {
  const negotiation = negotiate(offer, host);
  if (!negotiation.ok) throw new Error(negotiation.error.message);
  return negotiation.agreement;
}

describe('initialize', () => {
  it("keeps every field of the draft's example and agrees to what it declares [C2A-06-02/initialize/params]", () => {
    const { params }: { params: unknown } = JSON.parse(INITIALIZE);
    const offer = initializeParamsSchema.parse(params);
    expect(offer).toEqual(params);
    expect(agreed(offer)).toMatchObject({
      protocolVersion: '2026-06-02',
      capabilities: { ...offer.capabilities },
    });
  });

  it.each([
    {
      req: 'C2A-06-02/initialize/delivery-capabilities',
      block: 'delivery',
      flags: ['ack', 'redelivery', 'idempotency'],
    },
    {
      req: 'C2A-06-02/initialize/injection-capabilities',
      block: 'injection',
      flags: ['immediate', 'buffered', 'notify', 'tool_mailbox', 'digest', 'interrupt'],
    },
    {
      req: 'C2A-06-02/initialize/chat-tool-capabilities',
      block: 'chatTools',
      flags: ['readThread', 'sendMessage', 'react', 'reactionSignals', 'claim', 'defer', 'resolve'],
    },
    {
      req: 'C2A-06-02/initialize/utility-capabilities',
      block: 'utilities',
      flags: ['progress', 'cancellation', 'logging'],
    },
  ] as const)('declares each of $flags for itself', ({ block, flags }) => {
    for (const declared of flags) {
      const capabilities = { [block]: { [declared]: true } };
      const offer = initializeParamsSchema.parse({ protocolVersion: '2026-06-02', capabilities });
      // The host does not offer to interrupt a model.
      const offered = declared === 'interrupt' ? undefined : declared;
      const expected = Object.fromEntries(flags.map((flag) => [flag, flag === offered]));
      expect(agreed(offer).capabilities[block]).toEqual(expected);
      const wrong = { protocolVersion: '2026-06-02', capabilities: { [block]: { [declared]: 'yes' } } };
      expect(initializeParamsSchema.safeParse(wrong).success).toBe(false);
    }
  });

  it.each([
    { requested: '2026-06-02', also: [], spoken: '2026-06-02' },
    { requested: '2026-06-24', also: ['2026-08-11'], spoken: '2026-06-24' },
    { requested: '2027-01-01', also: ['2026-06-02', '2026-06-24'], spoken: '2026-06-24' },
    { requested: '2027-01-01', also: ['2026-06-02', '2026-12-01', '2026-08-11'], spoken: '2026-08-11' },
  ])(
    'speaks $spoken to one who asks for $requested and also knows $also [C2A-06-02/initialize/negotiated-version]',
    ({ requested, also, spoken }) => {
      expect(agreed({ protocolVersion: requested, supportedVersions: also }).protocolVersion).toBe(spoken);
    },
  );

  it.each([
    { protocolVersion: '2027-01-01' },
    { protocolVersion: '2027-01-01', supportedVersions: ['2026-12-01'] },
    { protocolVersion: 'toString' },
  ])(
    'names the versions it speaks to one who knows none of them: %j [C2A-06-02/initialize/negotiated-version]',
    (offer) => {
      const negotiation = negotiate(offer);
      expect(negotiation).toMatchObject({
        ok: false,
        error: { data: { name: 'unsupported_version', supported: [...PROTOCOL_VERSIONS] } },
      });
    },
  );

  it('does not speak a version that this host has switched off', () => {
    const host = { ...DEFAULT_HOST_OFFER, versions: ['2026-06-02' as const] };
    expect(negotiate({ protocolVersion: '2026-08-11' }, host).ok).toBe(false);
  });

  it.each([
    { version: '2026-08-11', asked: undefined, on: true },
    { version: '2026-08-11', asked: true, on: true },
    { version: '2026-08-11', asked: false, on: false },
    { version: '2026-06-02', asked: undefined, on: false },
    { version: '2026-06-02', asked: true, on: true },
    { version: '2026-06-24', asked: true, on: false },
  ])(
    'has obligations $on on $version when $asked is asked [OBL/0/negotiated-version]',
    ({ version, asked, on }) => {
      const capabilities = asked === undefined ? {} : { obligations: asked };
      expect(agreed({ protocolVersion: version, capabilities }).capabilities.obligations).toBe(on);
      const without = { ...DEFAULT_HOST_OFFER, obligations: false };
      expect(agreed({ protocolVersion: version, capabilities }, without).capabilities.obligations).toBe(
        false,
      );
    },
  );

  it('takes missing capabilities for the minimal ones, block by block', () => {
    expect(agreed({ protocolVersion: '2026-06-24' }).capabilities).toMatchObject(MINIMAL_CAPABILITIES);
    const { capabilities } = agreed({
      protocolVersion: '2026-06-24',
      capabilities: { injection: { immediate: true } },
    });
    expect(capabilities.injection).toEqual({
      immediate: true,
      buffered: false,
      notify: false,
      tool_mailbox: false,
      digest: false,
      interrupt: false,
    });
    expect(capabilities.chatTools).toEqual(MINIMAL_CAPABILITIES.chatTools);
  });

  it('agrees to nothing that only one side has [C2A-06-02/initialize/negotiated-capabilities]', () => {
    const injection = { ...HOST_CAPABILITIES.injection, digest: false };
    const host = { ...DEFAULT_HOST_OFFER, capabilities: { ...HOST_CAPABILITIES, injection } };
    const offer = {
      protocolVersion: '2026-06-24',
      capabilities: { injection: { digest: true, notify: true } },
    };
    expect(agreed(offer, host).capabilities.injection).toMatchObject({
      digest: false,
      notify: true,
      buffered: false,
    });
  });

  it("lays the harness's glyphs over the workspace's, and refuses a confusion by its place [C2A-06-02/signal/glyphs-remapped]", () => {
    const host = { ...DEFAULT_HOST_OFFER, glyphs: { done: '🎉' } };
    const offer = { protocolVersion: '2026-06-24', capabilities: { glyphs: { seen: ['🔍', '👀'] } } };
    expect(agreed(offer, host).capabilities.glyphs).toMatchObject({ done: ['🎉'], seen: ['🔍', '👀'] });
    const confused = { protocolVersion: '2026-06-24', capabilities: { glyphs: { seen: '🎉' } } };
    expect(negotiate(confused, host)).toMatchObject({
      ok: false,
      error: { code: -32602, data: { name: 'invalid_params', path: 'capabilities.glyphs' } },
    });
  });

  it('ends every offer in a valid answer or a wire error, and does so twice alike', () => {
    const flags = fc.dictionary(fc.constantFrom('ack', 'immediate', 'notify', 'claim', 'odd'), fc.boolean());
    const version = fc.oneof(
      fc.constantFrom(...PROTOCOL_VERSIONS),
      fc.string({ minLength: 1, maxLength: 20 }),
    );
    const offers = fc.record(
      {
        protocolVersion: version,
        supportedVersions: fc.array(version, { maxLength: 4 }),
        capabilities: fc.record(
          {
            delivery: flags,
            injection: flags,
            chatTools: flags,
            obligations: fc.boolean(),
            glyphs: fc.dictionary(fc.constantFrom('seen', 'done', 'nod'), fc.constantFrom('👀', '✅', 'x')),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['protocolVersion'] },
    );
    fc.assert(
      fc.property(offers, (raw) => {
        const offer = initializeParamsSchema.parse(raw);
        const negotiation = negotiate(offer);
        expect(negotiate(offer)).toEqual(negotiation);
        if (negotiation.ok) {
          expect(initializeResultSchema.parse(negotiation.agreement)).toEqual(negotiation.agreement);
          agreedCapabilitiesSchema.parse(negotiation.agreement.capabilities);
        } else {
          expect(['unsupported_version', 'invalid_params']).toContain(negotiation.error.data.name);
        }
      }),
    );
  });

  it('carries what the harness still holds, and which of it is superseded', () => {
    const holding = ['evt_1', 'evt_2/claimed'];
    expect(initializeParamsSchema.parse({ protocolVersion: '2026-06-24', holding }).holding).toEqual(holding);
    const result = {
      ...agreed({ protocolVersion: '2026-06-24' }),
      superseded: ['evt_1'],
      agent: 'agent:lead',
    };
    expect(initializeResultSchema.parse(result)).toEqual(result);
  });
});
