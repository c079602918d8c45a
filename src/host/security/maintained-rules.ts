// Finds secrets with secretlint's recommended rules, called directly and not through secretlint's engine. The engine is
// asynchronous, builds 28 rules per text (0.25 ms) and records a performance mark per rule that is never freed. The
// rules themselves are synchronous functions; built once, they take 20 to 50 µs a text. They are loaded when a text
// first needs them (13 ms, once), so start-up does not pay for it.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Span, Spans } from './redact.ts';

const PACKAGE = '@secretlint/secretlint-rule-preset-recommend';

/**
 * Rules that are not used. filter-comments: a chat message with `secretlint-disable` would switch redaction off. gcp:
 * it reads files by name and looks only at .json and .p12; our own rule finds those key blocks.
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

/** Loads the rules now and not when a text first needs them. */
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
interface SecretlintRule {
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

function rulesOfPackage(): readonly SecretlintRule[] {
  try {
    const { rules } = createRequire(import.meta.url)(PACKAGE) as { rules: readonly SecretlintRule[] };
    return rules;
  } catch (cause) {
    // Without the rules a secret could pass, so this fails.
    throw new Error(`${PACKAGE} cannot be loaded, so secrets cannot be found: run "npm install"`, { cause });
  }
}

function sourceOf(content: string): Source {
  return { content, filePath: undefined, ext: '.txt', contentType: 'text' };
}

/**
 * The rules find a token only where no letter stands before it. In scripts without spaces a letter always does
 * ("鍵はghp_…"). So each code unit outside ASCII becomes one middle dot, which keeps all offsets.
 */
function fenceLetters(text: string): string {
  return text.replace(/[^\0-\x7f]/g, '·');
}
