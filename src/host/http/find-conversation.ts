// The conversation a person means: by its key (`c/slack/T1/C1`), or by its id where only one has it.
import type { ServerContext } from './context.ts';
import { isConversationKey } from '../kernel/conversation.ts';
import { HttpError } from './http-error.ts';

export async function findConversation({ host }: ServerContext, given: string): Promise<string> {
  const key = isConversationKey(given) ? given : host.places.find(given, undefined);
  if (key !== undefined && (await host.context.store.state(key)) !== undefined) return key;
  throw new HttpError(
    404,
    'not_found',
    'There is no conversation with this id, or several have it: take its key from GET /v1/conversations.',
  );
}
