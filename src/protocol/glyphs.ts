// Which glyph stands for which signal in a workspace. Agents reason about signals, never glyphs. Both sides agree on
// this table in `initialize`, and surfaces use it in both directions. Invariant: a glyph means one signal.
import { displayName } from './identity.ts';
import { SIGNALS, type Signal } from './vocabulary.ts';

/** For each signal the glyph that is shown, then aliases that mean the same. */
export type GlyphTable = Record<Signal, [shown: string, ...aliases: string[]]>;
/** As configured or offered: one glyph, or the shown one and its aliases. `remapGlyphs` checks the keys. */
export type GlyphRemap = Readonly<Record<string, string | readonly string[]>>;
export type GlyphResult = { ok: true; glyphs: GlyphTable } | { ok: false; problem: string };

/** The longest glyph: some are made of several characters, and some platforms have names for them. */
export const GLYPH_CHARS = 64;

/** The glyphs of the draft. Every other file takes them from here. */
export const DEFAULT_GLYPHS: GlyphTable = {
  seen: ['👀'],
  agree: ['👍'],
  working: ['🔧'],
  queued: ['🕐'],
  claimed: ['✋'],
  done: ['✅'],
  declined: ['🙅'],
  blocked: ['🚧'],
  unclear: ['❓'],
};

export function defaultGlyph(signal: Signal): string {
  return DEFAULT_GLYPHS[signal][0];
}

/** A remap replaces all glyphs of a signal, the default included. Later remaps win over earlier ones. */
export function remapGlyphs(...remaps: readonly GlyphRemap[]): GlyphResult {
  let glyphs = DEFAULT_GLYPHS;
  for (const remap of remaps) {
    const unknown = Object.keys(remap).find((key) => !isSignal(key));
    if (unknown !== undefined) {
      return refuse(`"${displayName(unknown)}" is not a signal; use one of ${SIGNALS.join(', ')}`);
    }
    const before = glyphs;
    glyphs = table((signal) => {
      const [shown, ...aliases] = Object.hasOwn(remap, signal)
        ? [remap[signal] ?? []].flat()
        : before[signal];
      return [shown ?? '', ...aliases];
    });
  }
  return checked(glyphs);
}

/** The signal that a glyph on the platform stands for; skin tone and presentation do not matter. */
export function signalOfGlyph(glyphs: GlyphTable, glyph: string): Signal | undefined {
  const wanted = plainGlyph(glyph);
  return SIGNALS.find((signal) => glyphs[signal].some((known) => plainGlyph(known) === wanted));
}

function checked(glyphs: GlyphTable): GlyphResult {
  const owner = new Map<string, Signal>();
  for (const signal of SIGNALS) {
    for (const glyph of glyphs[signal]) {
      const plain = plainGlyph(glyph);
      if (plain === '')
        return refuse(`"${signal}" has an empty glyph; leave the signal out to keep its default`);
      const other = owner.get(plain);
      if (other !== undefined && other !== signal) {
        return refuse(
          `"${displayName(glyph)}" stands for both "${other}" and "${signal}"; give each its own glyph`,
        );
      }
      owner.set(plain, signal);
    }
  }
  return { ok: true, glyphs };
}

/** Platforms add a skin tone or U+FE0F at will. Neither makes it another reaction. */
function plainGlyph(glyph: string): string {
  return glyph.replace(/[\u{1F3FB}-\u{1F3FF}]|\uFE0E|\uFE0F/gu, '').trim();
}

function table(row: (signal: Signal) => [string, ...string[]]): GlyphTable {
  return {
    seen: row('seen'),
    agree: row('agree'),
    working: row('working'),
    queued: row('queued'),
    claimed: row('claimed'),
    done: row('done'),
    declined: row('declined'),
    blocked: row('blocked'),
    unclear: row('unclear'),
  };
}

function isSignal(word: string): word is Signal {
  return SIGNALS.some((signal) => signal === word);
}

function refuse(problem: string): GlyphResult {
  return { ok: false, problem };
}
