// Tokens for trying things out. The first start makes them for the operator, one source, one person of the web chat and
// every agent, and writes them to a file that only this user can read. An operator who has other tokens and no such
// file gets none.
import { type Tokens, tokenKey } from '../host/security/tokens.ts';
import type { TokenKind } from '../host/security/scopes.ts';
import { type DevelopmentTokens, readTokens, writeTokens } from './data-dir.ts';

const LABEL = 'development, made by earshot up';
/** The person whom the banner's link signs in. */
export const PERSON = 'you';

export interface DevelopmentOptions {
  dataDir: string;
  tokens: Tokens;
  agents: readonly string[];
  source: string;
}

export async function developmentTokens({
  dataDir,
  tokens,
  agents,
  source,
}: DevelopmentOptions): Promise<DevelopmentTokens | undefined> {
  const kept = readTokens(dataDir);
  if (kept === undefined && (await tokens.exist())) return undefined;
  const made: DevelopmentTokens = kept ?? { surfaces: {}, agents: {}, people: {} };
  const issue = async (kind: TokenKind, subject: string, label = LABEL): Promise<string> =>
    (await tokens.issue({ kind, subject, label })).token;
  let changed = kept === undefined || (await forgetLeaked(made, tokens));
  if (made.operator === undefined) {
    made.operator = await issue('operator', 'local');
    changed = true;
  }
  if (made.surfaces[source] === undefined) {
    made.surfaces[source] = await issue('surface', source);
    changed = true;
  }
  if (made.people[PERSON] === undefined) {
    made.people[PERSON] = await issue('person', PERSON, 'You');
    changed = true;
  }
  for (const agent of agents) {
    if (made.agents[agent] !== undefined) continue;
    made.agents[agent] = await issue('agent', agent);
    changed = true;
  }
  if (changed) writeTokens(dataDir, made);
  return made;
}

/** Forgets those that were written in chat, so that new ones are made. True when there were some. */
async function forgetLeaked(made: DevelopmentTokens, tokens: Tokens): Promise<boolean> {
  const leaked = new Set((await tokens.list()).flatMap((row) => (row.leaked === true ? [row.key] : [])));
  if (leaked.size === 0) return false;
  const isLeaked = (token: string | undefined): boolean => token !== undefined && leaked.has(tokenKey(token));
  let found = false;
  if (isLeaked(made.operator)) {
    delete made.operator;
    found = true;
  }
  for (const group of [made.surfaces, made.agents, made.people]) {
    for (const [subject, token] of Object.entries(group)) {
      if (!isLeaked(token)) continue;
      delete group[subject];
      found = true;
    }
  }
  return found;
}
