// The first exchange of a session: version, capabilities, glyphs, and what the harness still holds. `negotiate` is pure
// and total: it answers every offer with an agreement, or with one error that says what it would have accepted.
import { z } from 'zod';
import {
  type AgreedCapabilities,
  agreedCapabilitiesSchema,
  type CapabilityBlocks,
  declaredCapabilitiesSchema,
  HOST_CAPABILITIES,
  intersectCapabilities,
} from './capabilities.ts';
import { type WireError, wireError } from './errors.ts';
import { type GlyphRemap, remapGlyphs } from './glyphs.ts';
import { agentIdentitySchema } from './participants.ts';
import { PROTOCOL_VERSIONS, type ProtocolVersion } from './vocabulary.ts';
import { identitySchema, WIRE_LIMITS, wireId } from './wire-fields.ts';

/**
 * A request over HTTP that names a version in this header is answered in that version's base profile, whatever was
 * initialized before. It is for callers that keep no session and share their agent with others.
 */
export const VERSION_HEADER = 'c2a-version';

const version = z.string().min(1).max(WIRE_LIMITS.wordChars);
const peerInfo = z.object({
  name: z.string().max(WIRE_LIMITS.lineChars),
  version: z.string().max(WIRE_LIMITS.wordChars).optional(),
});

export const initializeParamsSchema = z.object({
  protocolVersion: version,
  /** Other versions that the harness speaks. Used only when the host does not know `protocolVersion`. */
  supportedVersions: z.array(version).max(16).optional(),
  clientInfo: peerInfo.optional(),
  capabilities: declaredCapabilitiesSchema.optional(),
  /** Ids of events that the harness has accepted and not settled. */
  holding: z.array(wireId).max(WIRE_LIMITS.holding).optional(),
});
export type InitializeParams = z.infer<typeof initializeParamsSchema>;

export const initializeResultSchema = z.object({
  protocolVersion: z.enum(PROTOCOL_VERSIONS),
  capabilities: agreedCapabilitiesSchema,
  serverInfo: peerInfo.optional(),
  /** The agent that the session's token belongs to. */
  agent: identitySchema.optional(),
  /** Who that agent is: its name, aliases, roles and lead. */
  identity: agentIdentitySchema.optional(),
  sessionId: wireId.optional(),
  /** How often the host pings this session. A harness that hears nothing for three times as long leaves it. */
  heartbeatMs: z.int().positive().optional(),
  /** Those of `holding` that the harness must drop without an answer. */
  superseded: z.array(wireId).max(WIRE_LIMITS.holding).optional(),
});
export type InitializeResult = z.infer<typeof initializeResultSchema>;

export interface HostOffer {
  versions: readonly ProtocolVersion[];
  capabilities: CapabilityBlocks;
  obligations: boolean;
  /** Missing: no. */
  streaming?: boolean;
  /** The workspace's own glyphs. */
  glyphs?: GlyphRemap;
}

export const DEFAULT_HOST_OFFER: HostOffer = {
  versions: PROTOCOL_VERSIONS,
  capabilities: HOST_CAPABILITIES,
  obligations: true,
  streaming: true,
};

export interface Agreement {
  protocolVersion: ProtocolVersion;
  capabilities: AgreedCapabilities;
}
export type Negotiation = { ok: true; agreement: Agreement } | { ok: false; error: WireError };

export function negotiate(offer: InitializeParams, host: HostOffer = DEFAULT_HOST_OFFER): Negotiation {
  const protocolVersion = agreedVersion(offer, host.versions);
  if (protocolVersion === undefined) {
    const details = { requested: offer.protocolVersion, supported: [...host.versions] };
    return { ok: false, error: wireError('unsupported_version', details) };
  }
  const remapped = remapGlyphs(host.glyphs ?? {}, offer.capabilities?.glyphs ?? {});
  if (!remapped.ok) {
    return {
      ok: false,
      error: wireError('invalid_params', {
        problem: `capabilities.glyphs: ${remapped.problem}`,
        path: 'capabilities.glyphs',
      }),
    };
  }
  const asked = offer.capabilities?.obligations ?? OBLIGATIONS[protocolVersion] === 'unless_refused';
  const capabilities = {
    ...intersectCapabilities(offer.capabilities, host.capabilities),
    obligations: host.obligations && asked && OBLIGATIONS[protocolVersion] !== 'never',
    // Only whoever asks for it hears of it, so that the agreement with everybody else stays as it was.
    ...(host.streaming === true && offer.capabilities?.streaming === true && { streaming: true }),
    glyphs: remapped.glyphs,
  };
  return { ok: true, agreement: { protocolVersion, capabilities } };
}

/** 2026-06-24 has no fields for obligations: a harness that wants them asks for 2026-08-11. */
const OBLIGATIONS: Record<ProtocolVersion, 'unless_refused' | 'when_asked' | 'never'> = {
  '2026-08-11': 'unless_refused',
  '2026-06-24': 'never',
  '2026-06-02': 'when_asked',
};

/** The requested version if the host speaks it, else the newest that both sides speak. */
function agreedVersion(
  { protocolVersion, supportedVersions = [] }: InitializeParams,
  spoken: readonly ProtocolVersion[],
): ProtocolVersion | undefined {
  const requested = spoken.find((known) => known === protocolVersion);
  return (
    requested ??
    PROTOCOL_VERSIONS.find((known) => spoken.includes(known) && supportedVersions.includes(known))
  );
}
