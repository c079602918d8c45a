import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PATTERN_LIMITS, safePattern } from './safe-pattern.ts';
import { compileSensitive, needsApproval, type SensitiveSend, sensitiveRuleSchema } from './sensitive.ts';

const send: SensitiveSend = {
  agent: 'ops',
  text: 'Deploying to PRODUCTION now: rm  -rf /var/tmp',
  conversation: 'C1',
  visibility: 'channel',
  elsewhere: false,
};

function asked(rule: object, over: Partial<SensitiveSend> = {}): string | undefined {
  const parsed = sensitiveRuleSchema.parse({ reason: 'because', ...rule });
  return needsApproval({ ...send, ...over }, compileSensitive([parsed]));
}

describe('needsApproval', () => {
  it.each([
    ['a word, whatever the case', { words: ['payroll', 'production'] }, {}, true],
    ['a word that is disguised', { words: ['pay  roll'] }, { text: 'the ＰＡＹ\u00a0ro\u00adll' }, true],
    ['a word in another script', { words: ['本番'] }, { text: '本番に出します' }, true],
    ['no such word', { words: ['payroll'] }, {}, false],
    ['a pattern', { pattern: String.raw`rm\s+-rf\s+/` }, {}, true],
    ['a pattern that is not there', { pattern: 'drop table' }, {}, false],
    ['visibility', { visibility: ['channel'] }, {}, true],
    ['other visibility', { visibility: ['dm'] }, {}, false],
    ['visibility unsaid may be any', { visibility: ['dm'] }, { visibility: undefined }, true],
    ['elsewhere', { elsewhere: true }, { elsewhere: true }, true],
    ['not elsewhere', { elsewhere: true }, {}, false],
    ['an agent', { agents: ['ops'] }, {}, true],
    ['another agent', { agents: ['lead'] }, {}, false],
    ['a conversation', { conversations: ['C1'] }, {}, true],
    ['another conversation', { conversations: ['C2'] }, {}, false],
    ['a thread of a conversation', { conversations: ['C1'] }, { conversation: 'T1', room: 'C1' }, true],
    ['every condition must hold', { words: ['production'], agents: ['lead'] }, {}, false],
    ['a rule with no condition: every send', {}, {}, true],
  ] as const)('%s', (_what, rule, over, expected) => {
    expect(asked(rule, over)).toBe(expected ? 'because' : undefined);
  });
  it('gives the first reason that fits', () => {
    const rules = compileSensitive([
      { reason: 'one', words: ['nothing'] },
      { reason: 'two', words: ['deploying'] },
      { reason: 'three' },
    ]);
    expect(needsApproval(send, rules)).toBe('two');
    expect(needsApproval(send, [])).toBeUndefined();
  });
  it('finds a pattern anywhere in the longest message', () => {
    for (const at of [0, 3_590, 4_090, 4_096, 30_000, 65_500]) {
      const text = `${'x '.repeat(40_000).slice(0, at)}rm -rf /${' y'.repeat(20)}`;
      expect(asked({ pattern: 'rm -rf /' }, { text })).toBe('because');
    }
  });
});

describe('a pattern from the configuration', () => {
  it.each([
    ['(a+)+', /itself repeats/],
    ['(a*)*b', /itself repeats/],
    ['(?:a|b)+', /itself repeats or chooses/],
    ['(a?){9}', /itself repeats or chooses/],
    ['.*.*.*x', /too many ways/],
    ['(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)x', /too many ways/],
    ['a?'.repeat(12), /too many ways/],
    [String.raw`(a)\1`, /refer back/],
    ['(?=a)b', /plain/],
    ['(?<=a)b', /plain/],
    ['(?<n>a)', /plain/],
    ['a{2000}', /over 1000/],
    ['(', /Unterminated group/],
    ['a'.repeat(201), /200 characters/],
  ])('%s is refused with what to write instead', (pattern, problem) => {
    expect(safePattern(pattern)).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    const parsed = sensitiveRuleSchema.safeParse({ reason: 'r', pattern });
    expect(parsed.error?.issues[0]?.path).toEqual(['pattern']);
  });
  it.each([
    ['refund of \\$\\d+', 'a Refund of $50'],
    ['[a-z.]+@[a-z]+\\.com', 'to ana.b@example.com'],
    ['(?:drop|truncate) table', 'DROP TABLE users'],
    ['(\\d{3}-)?\\d{4}', 'call 555-1234'],
    ['[\\]|(]x', '](|x'],
    ['a/b\\/c', 'a/b/c'],
    ['\\u{1f600}{2}', '😀😀'],
    ['😀+', '😀😀'],
    ['\\p{Script=Han}{2,}', '本番'],
    ['^yes$|^no$', 'no'],
    ['x{2,3}?y', 'xxy'],
  ])('%s still finds %s', (pattern, text) => {
    const read = safePattern(pattern);
    expect(read.ok && read.regexp.test(text)).toBe(true);
  });
  it('means the same as written, for texts within reach', () => {
    const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '(ab)', '(?:a|b)', '\\.');
    const term = fc
      .tuple(atom, fc.constantFrom('', '', '', '?', '{2}', '{1,2}', '*', '+', '+?'))
      .map((p) => p.join(''));
    const pattern = fc.array(
      fc.array(term, { maxLength: 4 }).map((t) => t.join('')),
      { minLength: 1, maxLength: 2 },
    );
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '.', ' '), maxLength: 12 }),
        (alts, text) => {
          const source = alts.join('|');
          const read = safePattern(source);
          if (read.ok) expect(read.regexp.test(text)).toBe(new RegExp(source, 'iu').test(text));
        },
      ),
      { numRuns: 3_000 },
    );
  });
  it('any text at all is judged, never thrown at', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: PATTERN_LIMITS.chars + 5, unit: 'binary' }), (source) => {
        const read = safePattern(source);
        expect(read.ok || read.problem.length > 0).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
