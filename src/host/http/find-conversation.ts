// The conversation that a person means: by its key (`c/slack/T1/C1`), its id, or the name that people see, with or without
// `#`. Where several fit, the room of the web chat is meant, because that is the one on the page.
import {
  conversationKeys,
  isConversationKey,
  isOwnPlatform,
  parseConversationKey,
  readConversation,
} from '../kernel/conversation.ts';
import type { ServerContext } from './context.ts';
import { HttpError } from './http-error.ts';

/** So many conversations are looked through for a name. Beyond that, an id or a key finds one. */
const NAMES_READ_MAX = 2_000;
const KEYS_SHOWN = 5;

export async function findConversation(context: ServerContext, given: string): Promise<string> {
  const { places, context: host } = context.host;
  if (isConversationKey(given)) {
    if ((await host.store.state(given)) !== undefined) return given;
    throw noneOf(given);
  }
  const name = given.replace(/^#/, '');
  const byId = [...new Set([...(await places.withId(given)), ...(await places.withId(name))])];
  const found = byId.length > 0 ? byId : await keysWithTitle(context, name.toLowerCase());
  const [first] = found;
  if (first === undefined) throw noneOf(given);
  if (found.length === 1) return first;
  const own = found.filter((key) => isOwnPlatform(parseConversationKey(key).platform));
  const [only] = own;
  if (only !== undefined && own.length === 1) return only;
  throw new HttpError(
    409,
    'ambiguous',
    `Several conversations are called "${given}": name one by its key: ${found.slice(0, KEYS_SHOWN).join(', ')}.`,
  );
}

async function keysWithTitle({ host }: ServerContext, title: string): Promise<string[]> {
  const { store } = host.context;
  const keys = await conversationKeys(store, '', NAMES_READ_MAX);
  const found: string[] = [];
  for (const key of keys) {
    const { conversation } = (await readConversation(store, key))?.place ?? {};
    if (conversation?.title?.toLowerCase() === title && conversation.parentId === undefined) found.push(key);
  }
  return found;
}

function noneOf(given: string): HttpError {
  return new HttpError(
    404,
    'not_found',
    `There is no conversation "${given}". GET /v1/conversations lists them, with their keys.`,
  );
}
