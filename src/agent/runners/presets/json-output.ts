// Reading what programs print as JSON: one object, a list, or one object per line. Whatever is no JSON is skipped: some
// programs print a warning before it.
import type { TurnUsage } from '../../../protocol/usage.ts';
import { record } from '../../read-event.ts';

export type Fields = Readonly<Record<string, unknown>>;

export { integer, record, string } from '../../read-event.ts';

export function objectLines(text: string): Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const value = parsed(line);
    return value === undefined ? [] : [record(value)];
  });
}

/** The object or list that begins on a line of its own, with whatever stands before it left out. */
export function wholeJson(text: string): unknown {
  for (const start of text.matchAll(/^[{[]/gm)) {
    const value = parsed(text.slice(start.index));
    if (value !== undefined) return value;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

/** `cached` is a part of `input`. Nothing counted is nothing reported. */
export function reported(
  input: number,
  output: number,
  more: { cached?: number; costUsd?: number; model?: string | undefined } = {},
): TurnUsage | undefined {
  if (input + output === 0) return undefined;
  const { cached = 0, costUsd = 0, model } = more;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(cached > 0 ? { cachedInputTokens: cached } : {}),
    ...(costUsd > 0 ? { costUsd } : {}),
    ...(model === undefined ? {} : { model }),
    source: 'reported',
  };
}
