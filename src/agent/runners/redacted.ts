// What a program or provider wrote, made fit to be shown: one short line, and nothing that looks like a key. Used for
// error lines and for questions about permission, because both are read in chat.
import { clean } from './output.ts';

const KEYS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi, '[key]'],
  [/\b(?:sk|pk|rk|gsk|xai|key)[-_][\w*.~+/-]{4,}/gi, '[key]'],
  [/\b(?:AIza|AKIA|ASIA|gh[opsur]_|github_pat_|glpat-|xox[abeoprs]-|ear_[asop]_|npm_)[\w-]{10,}/g, '[key]'],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g, '[key]'],
  // password=…, --api-key …, "token": "…", https://user:password@host
  [
    /((?:password|passwd|secret|token|api[-_]?key)["']?\s*[=:]\s*["']?)(?!\[key\])[^\s"'&;|]{4,}/gi,
    '$1[key]',
  ],
  [
    /(--?[\w-]*(?:password|passwd|secret|token|api[-_]?key)\s+["']?)(?!\[key\])[^\s"'&;|-][^\s"'&;|]{3,}/gi,
    '$1[key]',
  ],
  [/(\b[a-z][a-z\d+.-]*:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gi, '$1[key]'],
];

export function withoutKeys(text: string): string {
  return KEYS.reduce((shown, [pattern, instead]) => shown.replace(pattern, instead), text);
}

export const ERROR_LINE_CHARS = 300;

/** Somebody else's error message as one short line. */
export function errorLine(text: string): string {
  return withoutKeys(clean(text).replace(/\p{Cc}+/gu, ' '))
    .trim()
    .slice(0, ERROR_LINE_CHARS);
}
