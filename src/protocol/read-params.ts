// Turns untrusted params into typed values. Only this file makes a wire error of a schema's complaint. Total: any value
// becomes what the schema promises, or an error that names the field to correct. Use it with a schema of METHODS or
// TOOLS: `readParams(METHODS['turn/ended'].params, message.params)`.
import type { z } from 'zod';
import { type WireError, wireError } from './errors.ts';

export type ReadParams<T> = { ok: true; value: T } | { ok: false; error: WireError };

/** Absent params count as an empty object. */
export function readParams<S extends z.ZodType>(schema: S, params: unknown): ReadParams<z.infer<S>> {
  const read = schema.safeParse(params ?? {});
  if (read.success) return { ok: true, value: read.data };
  const complaints = read.error.issues.slice(0, COMPLAINTS).map((issue) => complaint(issue, []));
  const [first] = complaints;
  return {
    ok: false,
    error: wireError('invalid_params', {
      problem: complaints
        .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
        .join('; '),
      path: first?.path ?? '',
    }),
  };
}

/** Enough complaints to correct a call at once, few enough for a prompt. */
const COMPLAINTS = 3;

type Issue = z.core.$ZodIssue;

/** A union says only that nothing fitted. The caller is told what the closest member misses. */
function complaint(issue: Issue, above: readonly PropertyKey[]): { path: string; message: string } {
  const path = [...above, ...issue.path];
  if (issue.code === 'invalid_union') {
    const [closest] = issue.errors
      .filter((member) => member.length > 0)
      .toSorted((a, b) => a.length - b.length);
    const inner = closest?.[0];
    if (inner !== undefined) return complaint(inner, path);
  }
  return { path: path.map(String).join('.'), message: issue.message };
}
