// Tokens for trying things out. The first start makes them for the operator, one source, one person of the web chat and
// every agent, and writes them to a file that only this user can read. An operator who has other tokens and no such
// file gets none. A damaged file is set aside and made anew, with new tokens: the store has only hashes of the old ones.
import { type Tokens, tokenKey } from '../host/security/tokens.ts';
import type { TokenKind } from '../host/security/scopes.ts';
import { OLD_LABEL, PERSON, firstPersonName } from './first-person.ts';
import { DamagedFile, type DevelopmentTokens, readTokens, setTokensAside, writeTokens } from './data-dir.ts';

const LABEL = 'development, made by earshot up';

export interface DevelopmentOptions {
  dataDir: string;
  tokens: Tokens;
  agents: readonly string[];
  source: string;
  /** The system's user, after whom the first person is called until they choose a name. */
  user: string | undefined;
  log: { warn(fields: Record<string, unknown>, message: string): void };
}

export async function developmentTokens({
  dataDir,
  tokens,
  agents,
  source,
  user,
  log,
}: DevelopmentOptions): Promise<DevelopmentTokens | undefined> {
  const { kept, isDamaged } = readKept(dataDir, log);
  if (kept === undefined && !isDamaged && (await tokens.exist())) return undefined;
  const made: DevelopmentTokens = kept ?? { surfaces: {}, agents: {}, people: {} };
  const issue = async (kind: TokenKind, subject: string): Promise<string> =>
    (await tokens.issue({ kind, subject, label: LABEL })).token;
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
    const label = firstPersonName(user, agents);
    made.people[PERSON] = (
      await tokens.issue({ kind: 'person', subject: PERSON, label, unnamed: true })
    ).token;
    changed = true;
  } else await renameYou(tokens, firstPersonName(user, agents));
  for (const agent of agents) {
    if (made.agents[agent] !== undefined) continue;
    made.agents[agent] = await issue('agent', agent);
    changed = true;
  }
  if (changed) writeTokens(dataDir, made);
  return made;
}

/** Earlier versions called the first person "You", to everybody. */
async function renameYou(tokens: Tokens, label: string): Promise<void> {
  const isYou = (await tokens.list()).some(
    ({ kind, subject, label: name, revokedAt }) =>
      kind === 'person' && subject === PERSON && name === OLD_LABEL && revokedAt === null,
  );
  if (isYou) await tokens.rename({ subject: PERSON, label, unnamed: true });
}

function readKept(
  dataDir: string,
  log: DevelopmentOptions['log'],
): { kept: DevelopmentTokens | undefined; isDamaged: boolean } {
  try {
    return { kept: readTokens(dataDir), isDamaged: false };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    const aside = setTokensAside(dataDir);
    log.warn(
      { aside },
      'tokens.json was damaged and is made anew; tokens from before stay valid until they are revoked',
    );
    return { kept: undefined, isDamaged: true };
  }
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
