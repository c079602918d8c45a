// Decides which sends wait for a human's `agree`. The configuration lists rules, each with a reason and conditions. A
// rule matches when all its conditions hold, and the first matching rule decides. Words and patterns are looked for in what
// a reader sees: two spaces, a soft hyphen or full-width letters hide nothing. Patterns are made safe when the
// configuration is read (safe-pattern.ts) and run on windows of 4 KB, so no text can stall the host.
import { z } from 'zod';
import { foldText } from '../../attention/index.ts';
import { plainForm } from '../../protocol/plain-form.ts';
import { VISIBILITIES, type Visibility } from '../../protocol/vocabulary.ts';
import { safePattern } from './safe-pattern.ts';

export const SENSITIVE_LIMITS = { windowChars: 4_096, overlapChars: 512 } as const;

export const sensitiveRuleSchema = z
  .strictObject({
    /** Shown to the person who is asked. */
    reason: z.string().min(1).max(200),
    /** The text holds at least one of these, in any case, with or without accents, however it is spaced. */
    words: z.array(z.string().min(1).max(128)).min(1).max(64).optional(),
    /** A regular expression. `*` and `+` reach 32 characters; write `.{0,200}` for further. */
    pattern: z.string().min(1).optional(),
    visibility: z.array(z.enum(VISIBILITIES)).min(1).optional(),
    /** True matches sends to another conversation than the one they answer, false matches all others. */
    elsewhere: z.boolean().optional(),
    agents: z.array(z.string().min(1).max(64)).min(1).max(64).optional(),
    conversations: z.array(z.string().min(1).max(512)).min(1).max(64).optional(),
  })
  .superRefine(({ pattern }, context) => {
    const read = pattern === undefined ? undefined : safePattern(pattern);
    if (read?.ok === false) context.addIssue({ code: 'custom', path: ['pattern'], message: read.problem });
  });
export type SensitiveRule = z.infer<typeof sensitiveRuleSchema>;

export interface SensitiveSend {
  agent: string;
  text: string;
  /** The conversation's id, as the rules write it. */
  conversation: string;
  /** The id of its room, where it is a thread. A rule about a room is one about its threads. */
  room?: string | undefined;
  visibility?: Visibility | undefined;
  /** True when it answers an event of another conversation. */
  elsewhere: boolean;
}

export interface CompiledRule {
  rule: SensitiveRule;
  words: readonly string[] | undefined;
  pattern: RegExp | undefined;
}

/** Called once per configuration. */
export function compileSensitive(rules: readonly SensitiveRule[]): readonly CompiledRule[] {
  return rules.map((rule) => {
    const read = rule.pattern === undefined ? undefined : safePattern(rule.pattern);
    if (read?.ok === false) {
      throw new Error(`sensitive rule "${rule.reason}", pattern: ${read.problem}`);
    }
    return { rule, words: rule.words?.map((word) => seenForm(word)), pattern: read?.regexp };
  });
}

/** The reason why a person must agree first; undefined when nobody must. */
export function needsApproval(send: SensitiveSend, rules: readonly CompiledRule[]): string | undefined {
  let form: string | undefined;
  const seenText = (): string => (form ??= seenForm(send.text));
  return rules.find((compiled) => fits(compiled, send, seenText))?.rule.reason;
}

/** Whether a rule that fits everything but the words asks for words. */
export function dependsOnWords(send: SensitiveSend, rules: readonly CompiledRule[]): boolean {
  return rules.some(({ rule, words, pattern }) => (words ?? pattern) !== undefined && fitsPlace(rule, send));
}

/** Marks over and around Latin, Greek and Cyrillic letters that are no accents. */
const MARKS = /(?:[\u0483-\u0489]|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f])+/g;

/** The text as a reader sees it, without accents and marks. A word that is nothing but such keeps its own form. */
function seenForm(text: string): string {
  return plainForm(foldText(text).replace(MARKS, '')) || foldText(text);
}

function fits({ rule, words, pattern }: CompiledRule, send: SensitiveSend, seen: () => string): boolean {
  if (!fitsPlace(rule, send)) return false;
  if (words !== undefined && !words.some((word) => seen().includes(word))) return false;
  if (pattern === undefined) return true;
  return matchesSomewhere(pattern, send.text) || matchesSomewhere(pattern, seen());
}

/** Whether the rule is about this agent and where it sends. */
function fitsPlace(rule: SensitiveRule, send: SensitiveSend): boolean {
  if (rule.agents?.includes(send.agent) === false) return false;
  const places = [send.conversation, send.room];
  if (rule.conversations?.some((id) => places.includes(id)) === false) return false;
  if (rule.elsewhere !== undefined && rule.elsewhere !== send.elsewhere) return false;
  // Where nobody knows who will see it, every `visibility` matches.
  return send.visibility === undefined || rule.visibility?.includes(send.visibility) !== false;
}

function matchesSomewhere(pattern: RegExp, text: string): boolean {
  const { windowChars, overlapChars } = SENSITIVE_LIMITS;
  for (let at = 0; ; at += windowChars - overlapChars) {
    if (pattern.test(text.slice(at, at + windowChars))) return true;
    if (at + windowChars >= text.length) return false;
  }
}
