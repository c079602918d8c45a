// chat.edit_message and chat.delete_message: an agent changes a message of its own. The call waits a little for the
// platform, as a send does.
import { type WireError, wireError } from '../../protocol/errors.ts';
import { withoutSilence } from '../../protocol/silence.ts';
import type { ToolInput } from '../../protocol/tools.ts';
import { amendBodyOf } from '../outbox/outbox-row.ts';
import { amend, type AmendInput } from '../send/amend.ts';
import { outcomeError } from './outcome-error.ts';
import { readableEvent } from './read.ts';
import type { ToolAnswer, ToolContext } from './tool-context.ts';

export async function editMessage(
  { text, ...input }: ToolInput<'chat.edit_message'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.edit_message'>> {
  const said = withoutSilence(text);
  if (said === undefined) return { ok: false, error: wireError('silence') };
  return amendMessage({ ...input, amending: { type: 'edit', text: said } }, tools);
}

export function deleteMessage(
  input: ToolInput<'chat.delete_message'>,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.delete_message'>> {
  return amendMessage({ ...input, amending: { type: 'delete' } }, tools);
}

async function amendMessage(
  input: AmendInput,
  tools: ToolContext,
): Promise<ToolAnswer<'chat.edit_message' | 'chat.delete_message'>> {
  const { context, posts } = tools;
  const amended = await amend(tools, tools.agent, input);
  if (!amended.ok) return { ok: false, error: await asSeen(tools, input, amended.error) };
  const { key, row, replayed } = amended;
  const state = await posts.outcome(key, context.settings.limits.sendWaitMs);
  const error = await outcomeError(context, key, state);
  if (error !== undefined) return { ok: false, error };
  const status = state === 'visible' ? 'sent' : 'pending';
  return { ok: true, result: { eventId: amendBodyOf(row).targetEventId, status, replayed } };
}

/** What the caller may not read does not exist for it. */
async function asSeen(tools: ToolContext, { eventId }: AmendInput, error: WireError): Promise<WireError> {
  if (error.data.name !== 'not_yours' || (await readableEvent(tools, eventId)) !== undefined) return error;
  return wireError('not_found', { what: 'message' });
}
