// What each side can do, as declared in `initialize`. The four blocks are the draft's; Earshot adds obligations,
// streaming and glyphs. Tools beyond the draft have no flag: a harness finds them with `tools/list`.
// Invariant: an agreed capability is one that both sides declared.
import { z } from 'zod';
import { GLYPH_CHARS, type GlyphTable } from './glyphs.ts';
import { SIGNALS } from './vocabulary.ts';

const flag = z.boolean();
const glyph = z.string().min(1).max(GLYPH_CHARS);

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
  /** The harness tells its answers while they grow. */
  streaming: flag.optional(),
  /** For a signal its glyph, or a list: the glyph that is shown, then its aliases. */
  glyphs: z.record(z.string().max(64), z.union([glyph, z.array(glyph).min(1).max(16)])).optional(),
});
export type DeclaredCapabilities = z.infer<typeof declaredCapabilitiesSchema>;

/** As agreed. Every flag is present, and every signal has its glyphs. */
export const agreedCapabilitiesSchema = z.object({
  ...blocks,
  obligations: flag,
  /** Missing in agreements of an earlier version, which had none. */
  streaming: flag.optional(),
  glyphs: z.record(z.enum(SIGNALS), z.tuple([glyph], glyph)) satisfies z.ZodType<GlyphTable>,
});
export type AgreedCapabilities = z.infer<typeof agreedCapabilitiesSchema>;
export type CapabilityBlocks = Omit<AgreedCapabilities, 'obligations' | 'streaming' | 'glyphs'>;

/**
 * What Earshot does for a harness. Every flag that is agreed to changes what the session gets or may do; the table of
 * effects is in docs/harness.md. `interrupt` is not offered: mode `immediate` says that an event should interrupt, and
 * only the harness can do it.
 */
export const HOST_CAPABILITIES: CapabilityBlocks = {
  delivery: { ack: true, redelivery: true, idempotency: true },
  injection: {
    immediate: true,
    buffered: true,
    notify: true,
    tool_mailbox: true,
    digest: true,
    interrupt: false,
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
 * What a missing block means. A harness that says nothing about a block gives nothing up: it may use every tool and
 * hears of what was withdrawn. `injection` is the draft's "Minimal Viable C2A": knocks and the mailbox, nothing that
 * needs more of the harness. `buffered` is false: the draft wants fragments assembled but does not say by whom, so the
 * host does it by default.
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
    defer: true,
    resolve: true,
  },
  utilities: { progress: true, cancellation: true, logging: false },
};

/** A flag is true when both sides declared it. */
export function intersectCapabilities(
  declared: DeclaredCapabilities | undefined,
  host: CapabilityBlocks,
): CapabilityBlocks {
  const side = declared ?? {};
  const chatTools = both(side.chatTools ?? MINIMAL_CAPABILITIES.chatTools, host.chatTools);
  const injection = both(side.injection ?? MINIMAL_CAPABILITIES.injection, host.injection);
  return {
    delivery: both(side.delivery ?? MINIMAL_CAPABILITIES.delivery, host.delivery),
    // A knock is for whoever can read what it announces.
    injection: { ...injection, notify: injection.notify && (chatTools.readThread || injection.tool_mailbox) },
    chatTools,
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
