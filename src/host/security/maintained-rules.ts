// The maintained half of redaction: secretlint's recommended rules, driven directly instead of through its engine.
// The engine is asynchronous, builds 28 rules per text (0.25 ms) and records a performance mark per rule that is never
// freed; the rules themselves are synchronous functions, built once here (20 to 50 µs a text). Loaded on the first
// hit (13 ms, once), so that start-up does not pay for it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Span, Spans } from './spans.ts';

const PACKAGE = '@secretlint/secretlint-rule-preset-recommend';

/**
 * Left out. filter-comments: `secretlint-disable` written in a chat message would switch redaction off. gcp: reads
 * files by name, and only looks at .json and .p12; its key blocks are found by our own rule.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  '@secretlint/secretlint-rule-filter-comments',
  '@secretlint/secretlint-rule-gcp',
]);

export function findByMaintainedRules(text: string): Spans {
  const { scanners, found } = (loaded ??= load());
  found.length = 0;
  const source = sourceOf(fenceLetters(text));
  for (const scan of scanners) scan(source);
  return found.filter(([start, end]) => start < end);
}

/** Loads the rules now rather than on the first hit. */
export function loadMaintainedRules(): void {
  loaded ??= load();
}

interface Source {
  content: string;
  filePath: undefined;
  ext: string;
  contentType: 'text';
}
interface RuleContext {
  sharedOptions: object;
  createTranslator(messages: unknown): (id: string) => { message: string; messageId: string };
  report(descriptor: { range: Span }): void;
  ignore(): void;
}
interface Rule {
  meta: { id: string };
  create(context: RuleContext, options: object): { file?: (source: Source) => unknown };
}
interface Loaded {
  scanners: readonly ((source: Source) => unknown)[];
  found: Span[];
}

let loaded: Loaded | undefined;

function load(): Loaded {
  const found: Span[] = [];
  const context: RuleContext = {
    sharedOptions: {},
    createTranslator: () => (id) => ({ message: id, messageId: id }),
    report: ({ range }) => {
      found.push(range);
    },
    ignore: () => {},
  };
  const scanners = rulesOfPackage()
    .filter((rule) => !LEFT_OUT.has(rule.meta.id))
    .flatMap((rule) => rule.create(context, {}).file ?? []);
  for (const scan of scanners) {
    assert(!(scan(sourceOf('')) instanceof Promise), `a rule of ${PACKAGE} has become asynchronous`);
  }
  return { scanners, found };
}

function rulesOfPackage(): readonly Rule[] {
  try {
    const { rules } = createRequire(import.meta.url)(PACKAGE) as { rules: readonly Rule[] };
    return rules;
  } catch (cause) {
    // Without the rules a secret could pass, so nothing goes on without them.
    throw new Error(`${PACKAGE} cannot be loaded, so secrets cannot be found: run "npm install"`, { cause });
  }
}

function sourceOf(content: string): Source {
  return { content, filePath: undefined, ext: '.txt', contentType: 'text' };
}

/**
 * The rules ask that no letter stands before a token, which in scripts without spaces one always does ("鍵はghp_…").
 * Every letter outside ASCII becomes a middle dot, one for one, so that offsets stay what they are.
 */
function fenceLetters(text: string): string {
  return text.replace(/[^\0-\x7f]/g, '·');
}
