// A reaction that a source hands over by its glyph. Platforms know glyphs; agents reason about signals. The glyphs are
// those of the agent whose message it is on, as that agent negotiated them, else the default ones.
import { isMuteGlyph } from '../../protocol/correction.ts';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../protocol/glyphs.ts';
import { displayName } from '../../protocol/identity.ts';
import type { LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { conversationKeyOf } from '../kernel/conversation.ts';
import { scopedId } from '../kernel/event-id.ts';
import type { ShownAs } from '../outbox/on-platform.ts';

export interface GlyphDeps {
  context: Pick<HostContext, 'store' | 'glyphsOf'>;
  shownAs: Pick<ShownAs, 'find'>;
}

interface GlyphReaction {
  type: 'reaction';
  glyph: string;
  targetEventId: string;
  removed?: unknown;
  platform: string;
  workspaceId: string;
  conversation: { id: string; kind: 'channel' };
}

/** Whether the value is a reaction with a glyph in place of its signal. The schema checks the rest afterwards. */
export function hasGlyph(value: unknown): value is GlyphReaction {
  const { type, glyph, targetEventId, platform, workspaceId, conversation } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const { id } = (conversation ?? {}) as { id?: unknown };
  const texts = [glyph, targetEventId, platform, workspaceId, id];
  return (
    type === 'reaction' &&
    !('signal' in (value as object)) &&
    texts.every((text) => typeof text === 'string' && text !== '' && text.isWellFormed())
  );
}

/** The same reaction with its signal, or why it has none. */
export async function readGlyph(
  deps: GlyphDeps,
  { glyph, ...reaction }: GlyphReaction,
  surface: string,
): Promise<{ ok: true; value: unknown } | { ok: false; problem: string }> {
  const row = await reactedTo(deps, reaction, surface);
  const author = row?.record.event.author;
  const glyphs = author?.kind === 'agent' ? deps.context.glyphsOf(author.id) : DEFAULT_GLYPHS;
  const signal = signalOfGlyph(glyphs, glyph);
  if (signal !== undefined) return { ok: true, value: { ...reaction, signal } };
  if (row !== undefined && author?.kind === 'agent' && isMuteGlyph(glyph))
    return { ok: true, value: muted(reaction, row, author.id) };
  const known = Object.values(glyphs).flat().join(' ');
  return {
    ok: false,
    problem: `glyph: "${displayName(glyph)}" stands for no signal here; known are ${known}`,
  };
}

/** A 🔇 on an agent's message is no signal. It says that the agent should not have answered what it answered. */
function muted({ removed, ...reaction }: Omit<GlyphReaction, 'glyph'>, row: LogRow, agent: string): unknown {
  const { event } = row.record;
  const answered = event.type === 'message' ? (event.inReplyTo ?? event.replyTo?.eventId) : undefined;
  return {
    ...reaction,
    type: 'correction',
    targetEventId: answered ?? row.key,
    agent,
    label: removed === true ? 'withdrawn' : 'should_have_stayed_quiet',
    how: 'reaction',
  };
}

/** The logged message that the reaction is on. */
async function reactedTo(
  { context, shownAs }: GlyphDeps,
  { targetEventId, ...place }: Omit<GlyphReaction, 'glyph'>,
  surface: string,
): Promise<LogRow | undefined> {
  const conversation = conversationKeyOf(place);
  const shown = await shownAs.find(surface, conversation, targetEventId);
  for (const id of [shown, scopedId(conversation, targetEventId), targetEventId]) {
    const row = id === undefined ? undefined : await context.store.get('log', id);
    if (row?.conversation === conversation) return row;
  }
  return undefined;
}
