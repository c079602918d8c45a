// Spans of secrets: where they are is found once per event and stored; every showing (model, log, page) cuts them out
// again from the same text. Offsets are UTF-16 code units, end exclusive, as LogRow.secrets keeps them.

export type Span = readonly [start: number, end: number];
export type Spans = readonly Span[];

export const REDACTED = '[redacted]';

/** Without spans the very same string comes back. Spans may overlap, and may come from an older, longer text. */
export function redact(text: string, spans: Spans, mark: string = REDACTED): string {
  if (spans.length === 0) return text;
  let out = '';
  let from = 0;
  for (const [start, end] of mergeSpans(spans)) {
    if (start >= text.length) break;
    out += text.slice(from, start) + mark;
    from = end;
  }
  return out + text.slice(from);
}

/** In order, none overlapping or touching. */
export function mergeSpans(spans: Spans): Spans {
  if (spans.length < 2) return spans;
  const merged: [number, number][] = [];
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}
