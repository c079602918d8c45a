// Decides which sends wait for a human's `agree`. The configuration lists rules, each with a reason and conditions. A
// rule matches when all its conditions hold, and the first matching rule decides. Patterns are made safe when the
// configuration is read (safe-pattern.ts) and run on windows of 4 KB, so no text can stall the host.
import { z } from 'zod';
import { foldText } from '../../attention/index.ts';
import { VISIBILITIES, type Visibility } from '../../protocol/vocabulary.ts';
import { safePattern } from './safe-pattern.ts';

export const SENSITIVE_LIMITS = { windowChars: 4_096, overlapChars: 512 } as const;

export const sensitiveRuleSchema = z
  .strictObject({
    /** Shown to the person who is asked. */
    reason: z.string().min(1).max(200),
    /** The text holds at least one of these, in any case. */
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
    return { rule, words: rule.words?.map((word) => foldText(word)), pattern: read?.regexp };
  });
}

/** The reason why a person must agree first; undefined when nobody must. */
export function needsApproval(send: SensitiveSend, rules: readonly CompiledRule[]): string | undefined {
  let folded: string | undefined;
  const foldedText = (): string => (folded ??= foldText(send.text));
  return rules.find((compiled) => fits(compiled, send, foldedText))?.rule.reason;
}

function fits({ rule, words, pattern }: CompiledRule, send: SensitiveSend, folded: () => string): boolean {
  if (rule.agents?.includes(send.agent) === false) return false;
  if (rule.conversations?.includes(send.conversation) === false) return false;
  if (rule.elsewhere !== undefined && rule.elsewhere !== send.elsewhere) return false;
  // A send without a visibility may become visible to anybody, so every `visibility` matches it.
  if (send.visibility !== undefined && rule.visibility?.includes(send.visibility) === false) return false;
  if (words !== undefined && !words.some((word) => folded().includes(word))) return false;
  return pattern === undefined || matchesSomewhere(pattern, send.text);
}

function matchesSomewhere(pattern: RegExp, text: string): boolean {
  const { windowChars, overlapChars } = SENSITIVE_LIMITS;
  for (let at = 0; ; at += windowChars - overlapChars) {
    if (pattern.test(text.slice(at, at + windowChars))) return true;
    if (at + windowChars >= text.length) return false;
  }
}
