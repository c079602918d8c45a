// What an agent says, as GitHub takes it. Only `mentions` ping; every other `@name` and `@org/team` is made harmless. The
// key of the send stands in front, in a comment in HTML that nobody sees: by it the message is recognised when it comes
// back or is looked for. At the end it would be shown inside of a code fence that was left open.
import { onlyMentionsPing, type OutboundMention, type OutboundMessage, type PingSyntax } from '../surface.ts';

/** As much as GitHub takes in one comment. */
const GITHUB_CHARS = 65_536;
/** What an agent may say in one: the mark, its name and what makes pings harmless come on top. */
export const MAX_CHARS = 60_000;

const SYNTAX: PingSyntax = { form: (account) => `@${account}`, inCode: 'inert' };
const LOGIN = /^[a-z\d](?:-?[a-z\d]){0,38}(?:\/[\w.-]+)?$/i;
const MARK = /^<!-- earshot:(\S{1,4096}) -->/;

/** `persona`: one account speaks for several agents, so the message says which. */
export function bodyOf(
  message: Pick<OutboundMessage, 'idempotencyKey' | 'text' | 'mentions' | 'persona' | 'agent'>,
  { persona }: { persona: boolean },
): string | undefined {
  const { idempotencyKey, text, mentions, persona: shown } = message;
  const said = onlyMentionsPing(text, mentions.flatMap(named), SYNTAX);
  const head = persona ? `**${onlyMentionsPing(plain(shown.name), [], SYNTAX)}**\n\n` : '';
  const body = `<!-- earshot:${encoded(idempotencyKey)} -->\n${head}${said}`;
  return body.length > GITHUB_CHARS ? undefined : body;
}

/** The key of our send, if the text has one. Trusted only in messages of our own login. */
export function keyIn(body: string): string | undefined {
  const [, key] = MARK.exec(body) ?? [];
  if (key === undefined) return undefined;
  try {
    return decodeURIComponent(key) || undefined;
  } catch {
    return undefined;
  }
}

/** Nothing in it may end the comment. */
function encoded(key: string): string {
  return encodeURIComponent(key.toWellFormed()).replaceAll('-', '%2D');
}

function plain(name: string): string {
  return name.replaceAll(/[\\*_`<>[\]\n]/g, '');
}

/** Who has no login is left as text. An app is called without `[bot]`. */
function named(mention: OutboundMention): OutboundMention[] {
  const { account = '' } = mention;
  const login = account.replace(/^github\/[^/]+\//, '').replace(/\[bot\]$/, '');
  if (!LOGIN.test(login)) return [];
  return [...new Set([mention.name, login])].map((name) => ({ ...mention, name, account: login }));
}
