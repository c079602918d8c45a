// What each side can do, as declared in `initialize`. The four blocks are the draft's; Earshot adds obligations and
// glyphs. Tools beyond the draft have no flag: a harness finds them with `tools/list`.
// Invariant: an agreed capability is one that both sides declared.
import { z } from 'zod';
import type { GlyphTable } from './glyphs.ts';
import { SIGNALS } from './vocabulary.ts';

const flag = z.boolean();
const glyph = z.string().min(1).max(64);

const blocks = {
  delivery: z.object({ ack: flag, redelivery: flag, idempotency: flag }),
  injection: z.object({
    immediate: flag,
    buffered: flag,
    notify: flag,
    tool_mailbox: flag,
    digest: flag,
    interrupt: flag,
  }),
  chatTools: z.object({
    readThread: flag,
    sendMessage: flag,
    react: flag,
    reactionSignals: flag,
    claim: flag,
    defer: flag,
    resolve: flag,
  }),
  utilities: z.object({ progress: flag, cancellation: flag, logging: flag }),
};

/** As a peer declares them. A missing flag means false; a missing block means its minimal default. */
export const declaredCapabilitiesSchema = z.object({
  delivery: blocks.delivery.partial().optional(),
  injection: blocks.injection.partial().optional(),
  chatTools: blocks.chatTools.partial().optional(),
  utilities: blocks.utilities.partial().optional(),
  obligations: flag.optional(),
  /** For a signal its glyph, or a list: the glyph that is shown, then its aliases. */
  glyphs: z.record(z.string().max(64), z.union([glyph, z.array(glyph).min(1).max(16)])).optional(),
});
export type DeclaredCapabilities = z.infer<typeof declaredCapabilitiesSchema>;

/** As agreed. Every flag is present, and every signal has its glyphs. */
export const agreedCapabilitiesSchema = z.object({
  ...blocks,
  obligations: flag,
  glyphs: z.record(z.enum(SIGNALS), z.tuple([glyph], glyph)) satisfies z.ZodType<GlyphTable>,
});
export type AgreedCapabilities = z.infer<typeof agreedCapabilitiesSchema>;
export type CapabilityBlocks = Omit<AgreedCapabilities, 'obligations' | 'glyphs'>;

/** What Earshot can do for a harness. */
export const HOST_CAPABILITIES: CapabilityBlocks = {
  delivery: { ack: true, redelivery: true, idempotency: true },
  injection: {
    immediate: true,
    buffered: true,
    notify: true,
    tool_mailbox: true,
    digest: true,
    interrupt: true,
  },
  chatTools: {
    readThread: true,
    sendMessage: true,
    react: true,
    reactionSignals: true,
    claim: true,
    defer: true,
    resolve: true,
  },
  utilities: { progress: true, cancellation: true, logging: true },
};

/**
 * What a missing block means: the draft's "Minimal Viable C2A". It includes retry and dedup by event id, the knock, the
 * mailbox, reading, sending, reactions and claims. It includes no defer, resolve, digest, interrupt or utilities.
 * `buffered` is false: the draft wants fragments assembled but does not say by whom, so the host does it by default.
 */
export const MINIMAL_CAPABILITIES: CapabilityBlocks = {
  delivery: { ack: true, redelivery: true, idempotency: true },
  injection: {
    immediate: false,
    buffered: false,
    notify: true,
    tool_mailbox: true,
    digest: false,
    interrupt: false,
  },
  chatTools: {
    readThread: true,
    sendMessage: true,
    react: true,
    reactionSignals: true,
    claim: true,
    defer: false,
    resolve: false,
  },
  utilities: { progress: false, cancellation: false, logging: false },
};

/** A flag is true when both sides declared it. */
export function intersectCapabilities(
  declared: DeclaredCapabilities | undefined,
  host: CapabilityBlocks,
): CapabilityBlocks {
  const side = declared ?? {};
  return {
    delivery: both(side.delivery ?? MINIMAL_CAPABILITIES.delivery, host.delivery),
    injection: both(side.injection ?? MINIMAL_CAPABILITIES.injection, host.injection),
    chatTools: both(side.chatTools ?? MINIMAL_CAPABILITIES.chatTools, host.chatTools),
    utilities: both(side.utilities ?? MINIMAL_CAPABILITIES.utilities, host.utilities),
  };
}

function both<B extends Record<string, boolean>>(
  declared: { [K in keyof B]?: boolean | undefined },
  host: B,
): B {
  const agreed = { ...host };
  for (const key in host) Object.assign(agreed, { [key]: host[key] === true && declared[key] === true });
  return agreed;
}
