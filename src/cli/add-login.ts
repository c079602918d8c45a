// `earshot add slack --agent lead`: one more login of a surface, for one agent. What the file has stays: an entry with one
// login becomes a list whose first is that one, shared by all agents without a login of their own.
import { type Document, isMap, isSeq, parseDocument } from 'yaml';
import { CommandError } from './io.ts';
import { suggestion } from './nearest.ts';

/** The form of an entry with one login. */
export interface OneLogin {
  /** Keys that belong to the login. */
  keys: readonly string[];
  /** What it needs where the entry leaves it to a default. */
  needs: Readonly<Record<string, string>>;
}

/** The variable of the environment that holds an agent's own: `SLACK_BOT_TOKEN_LEAD`. */
export function ownVariable(name: string, agent: string): string {
  return `env:${name}_${agent.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;
}

export function checkAgent(agent: string, known: readonly string[], file: string): void {
  if (known.includes(agent)) return;
  throw new CommandError(2, `add: ${file} has no agent "${agent}"; ${suggestion(agent, known)}`);
}

/** The file with one more login at the entry of this type. Comments and everything else stay. */
export function withLogin(text: string, type: string, login: object, { keys, needs }: OneLogin): string {
  const document = parseDocument(text);
  const index = entryOf(document, type);
  const path = ['surfaces', index];
  if (document.hasIn([...path, 'logins'])) {
    document.addIn([...path, 'logins'], document.createNode(login));
    return document.toString();
  }
  const entry = document.getIn(path, true);
  if (!isMap(entry)) throw new Error('an entry of surfaces is a map');
  const written = entry.toJSON() as Record<string, unknown>;
  const first = Object.fromEntries(keys.flatMap((key) => (key in written ? [[key, written[key]]] : [])));
  for (const key of keys) entry.delete(key);
  document.setIn([...path, 'logins'], document.createNode([{ ...needs, ...first }, login]));
  return document.toString();
}

function entryOf(document: Document, type: string): number {
  const surfaces = document.get('surfaces');
  const items = isSeq(surfaces) ? surfaces.items : [];
  return items.findIndex((item) => isMap(item) && item.get('type') === type);
}
