// What agents change on Slack: an edit or a delete of a message of the app's own. Doing it again is the same.
import { outcomeOf } from '../failure.ts';
import type { OutboundAmendment, PostOutcome } from '../surface.ts';
import { learns, type SayDeps } from './say.ts';
import { channelOf, type Edit, MAX_CHARS, updateOf } from './write.ts';

export function amend(deps: SayDeps, amendment: OutboundAmendment): Promise<PostOutcome> {
  return amendment.type === 'edit' ? edit(deps, amendment) : remove(deps, amendment);
}

async function edit(deps: SayDeps, amendment: Edit): Promise<PostOutcome> {
  const { api, people, style } = deps;
  const ts = amendment.target.platformIds.at(-1);
  if (ts === undefined) return { type: 'refused', error: 'the message has no id on Slack' };
  const nameOf = (id: string): string | undefined => people.nameOf(id)?.name;
  const args = updateOf(amendment, ts, { ...style, nameOf });
  if (args === undefined)
    return { type: 'refused', error: `longer than ${MAX_CHARS} characters: shorten it` };
  const called = await api.call('chat.update', args);
  if (called.ok) return { type: 'visible', platformId: ts };
  // Nothing was changed, so the same may be said more plainly.
  return learns(style, called.failure) ? edit(deps, amendment) : outcomeOf(called.failure);
}

async function remove(
  { api }: SayDeps,
  { place, target: { platformIds } }: OutboundAmendment,
): Promise<PostOutcome> {
  for (const ts of platformIds) {
    const called = await api.call('chat.delete', { channel: channelOf(place), ts });
    const isGone = called.ok || (called.failure.type === 'refused' && called.failure.code === GONE);
    if (!isGone) return outcomeOf(called.failure);
  }
  return { type: 'visible', platformId: platformIds.at(-1) ?? '' };
}

/** Somebody, or an earlier attempt, has deleted it. */
const GONE = 'message_not_found';
