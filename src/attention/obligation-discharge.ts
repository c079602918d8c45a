// Who may close an obligation, and what closes with it. The author or the delegate closes it with a reaction that names
// the recipient. The author closes it by deleting the event. A human closes what is on the human rung with them.
// An escalation closes when its list is empty, a reciprocal when its question closes. Nothing here depends on time.
import type { Identity } from '../protocol/identity.ts';
import type { DischargeCause } from './obligation-effects.ts';
import { about, itemsOf, put, remove } from './obligation-draft.ts';
import type { ObligationDraft } from './obligation-draft.ts';
import { resume, withMostUrgent } from './obligation-ladder.ts';
import { speakersFor } from './obligation-parties.ts';
import type { Obligation, Reaction } from './obligation-state.ts';

/** True when the reaction closed something. Then it is not also read as a signal of the recipient. */
export function tryDischarge(draft: ObligationDraft, obligation: Obligation, reaction: Reaction): boolean {
  const { actor, signal } = reaction;
  if (reaction.recipient !== obligation.recipient) return false;
  if (signal !== 'done' && signal !== 'agree') return false;
  // The recipient's `agree` changes nothing on any rung. Its `done` closes only on the human rung.
  const human = obligation.rung === 'human' && actor === obligation.recipient && signal === 'done';
  if (obligation.kind === 'escalation') {
    const settled = human
      ? obligation.items
      : obligation.items.filter((id) => answersFor(draft, actor, draft.open.get(id)));
    if (settled.length === 0) return false;
    takeOff(draft, obligation, settled, actor, human);
    return true;
  }
  if (!human && !answersFor(draft, actor, obligation)) return false;
  discharge(draft, obligation, actor, 'reaction');
  return true;
}

function answersFor(draft: ObligationDraft, actor: Identity, one: Obligation | undefined): boolean {
  return one !== undefined && speakersFor(draft.open, draft.directory, one).includes(actor);
}

/**
 * Closes part or all of an escalation. The obligations on its list stay open and return to their recipients again.
 * When a human closed the last rung, they do not return: they stay open and visible until their author closes them.
 */
function takeOff(
  draft: ObligationDraft,
  escalation: Obligation,
  ids: readonly string[],
  by: Identity,
  human: boolean,
): void {
  for (const id of ids) {
    const below = draft.open.get(id);
    if (below === undefined) continue;
    if (human) put(draft, { ...below, escalatedTo: null });
    else resume(draft, below, 'escalation_closed');
  }
  shorten(draft, escalation, ids, by, 'reaction');
}

function shorten(
  draft: ObligationDraft,
  escalation: Obligation,
  ids: readonly string[],
  by: Identity,
  cause: DischargeCause,
): void {
  const items = escalation.items.filter((id) => !ids.includes(id));
  if (items.length === 0) return discharge(draft, escalation, by, cause);
  const next = withMostUrgent(draft, { ...escalation, items });
  put(draft, next);
  draft.effects.push({ type: 'shortened', ...about(next), items: itemsOf(draft, next) });
}

export function discharge(
  draft: ObligationDraft,
  obligation: Obligation,
  by: Identity,
  cause: DischargeCause,
): void {
  remove(draft, obligation);
  const ageMs = draft.at - obligation.createdAt;
  draft.effects.push({ type: 'discharged', ...about(obligation), by, cause, ageMs });
  const above = draft.open.get(obligation.escalatedTo ?? '');
  if (above !== undefined) shorten(draft, above, [obligation.id], by, 'below');
  const reciprocal = draft.open.get(obligation.reciprocal ?? '');
  if (reciprocal !== undefined) discharge(draft, reciprocal, by, 'question_closed');
  const question = draft.open.get(obligation.about ?? '');
  if (question?.paused === true) resume(draft, question, 'clarified');
}
