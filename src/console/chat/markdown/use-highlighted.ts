// The pieces of a block of code: plain at once, coloured when the browser is idle. A block that is scrolled past is gone
// before that and costs nothing. Code that grows keeps the colours it has, and its new end is plain until the next idle
// moment.
import { useEffect, useState } from 'react';
import type { Piece } from './highlight.ts';
import { HIGHLIGHT_CHARS } from './limits.ts';

interface Done {
  code: string;
  pieces: readonly Piece[];
}

/** Blocks whose colours are kept, for scrolling back. The oldest goes first. */
const KEPT = 200;
const kept = new Map<string, readonly Piece[]>();

export function useHighlighted(code: string, language: string): readonly Piece[] {
  const wanted = language !== '' && code.length <= HIGHLIGHT_CHARS;
  const key = `${language}\n${code}`;
  const [done, setDone] = useState<Done | undefined>(() => known(key, code));
  useEffect(() => {
    if (!wanted || done?.code === code) return undefined;
    return whenIdle(() => {
      void coloured(key, code, language).then((pieces) => pieces && setDone({ code, pieces }));
    });
  }, [wanted, key, code, language, done]);
  if (!wanted || done === undefined || !code.startsWith(done.code)) return [{ text: code }];
  const rest = code.slice(done.code.length);
  return rest === '' ? done.pieces : [...done.pieces, { text: rest }];
}

function known(key: string, code: string): Done | undefined {
  const pieces = kept.get(key);
  return pieces === undefined ? undefined : { code, pieces };
}

async function coloured(key: string, code: string, language: string): Promise<readonly Piece[] | undefined> {
  const before = kept.get(key);
  if (before !== undefined) return before;
  try {
    const { highlight } = await import('./highlight.ts');
    const pieces = highlight(code, language);
    if (pieces === undefined) return undefined;
    kept.set(key, pieces);
    if (kept.size > KEPT) kept.delete(kept.keys().next().value ?? '');
    return pieces;
  } catch {
    return undefined; // without colours it can be read as well
  }
}

/** A browser without idle callbacks takes the next turn. */
function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback !== 'function') {
    const timer = setTimeout(run);
    return () => clearTimeout(timer);
  }
  const waiting = requestIdleCallback(run, { timeout: 1_000 });
  return () => cancelIdleCallback(waiting);
}
