// A send that no rule refuses goes into the outbox, or waits for a person, in the unit that judged it. The delivery that
// it answers is settled there too.
import { wireError } from '../../protocol/errors.ts';
import { hostId } from '../../protocol/derived-id.ts';
import type { UnitView } from '../../store/store.ts';
import { countAnswer, settle } from '../delivery/move.ts';
import { endOffer } from '../delivery/offers.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import { withSend, writeAgentRecord } from '../kernel/agent-record.ts';
import { type Change, addChange, noChange } from '../kernel/change.ts';
import type { ConversationState } from '../kernel/conversation.ts';
import { listed, putFile } from '../outbox/file-row.ts';
import {
  bodyHashOf,
  type MessageBody,
  newMessage,
  newWaitingMessage,
  putSend,
  queueSend,
} from '../outbox/outbox-row.ts';
import type { GrownPlace } from '../turn/growing.ts';
import { askAgreement } from './approval.ts';
import { closeFollowUps, noteFirstWord } from './licence.ts';
import { type Destination, readerOf } from './private-way.ts';
import { type SendView, needsAgreement } from './send-rules.ts';
import type { SendDeps, Sent, Weighed } from './send.ts';

/** `grown`: the place where people saw it grow. */
export function acceptSend(
  { context, audit, eventId = hostId('send', context.random.id()) }: SendDeps,
  view: UnitView,
  { sent, conversation, target, key }: Weighed,
  grown: GrownPlace | undefined,
): Change & { result: Sent } {
  const { agent, input, now, about } = sent;
  const reason = needsAgreement(context, sent, conversation);
  const base = {
    key,
    agent,
    surface: context.speakers.homeOf(conversation),
    conversation: sent.conversation,
    eventId: grown?.conversation === sent.conversation ? grown.eventId : eventId,
    inReplyTo: about ?? null,
    turnId: input.turnId ?? null,
    bodyHash: bodyHashOf(input),
    now,
  };
  const body = bodyOf(sent, conversation, target);
  const row =
    reason === undefined
      ? newMessage(base, body)
      : newWaitingMessage(base, body, now + sent.limits.approvalMs);
  const change = noChange();
  addChange(change, reason === undefined ? queueSend(row) : putSend(row));
  change.writes.push(...sent.files.map((file) => putFile(row, file)));
  const { conversation: to, textHash, licence } = sent;
  const recorded = {
    conversation: to,
    textHash,
    turnId: input.turnId,
    about,
    counts: licence.counts,
    at: now,
  };
  change.writes.push(writeAgentRecord(agent, withSend(sent.record, recorded)));
  addChange(change, noteFirstWord(view, sent, key));
  addChange(change, closeFollowUps(view, sent));
  if (reason !== undefined) {
    addChange(change, askAgreement(context, view, sent, row, reason));
    change.writes.push(...audit(now, 'needs_approval'));
    const error = wireError('needs_approval', { approvalId: inboxKeys.approval(key) });
    return { ...change, result: { ok: false, error } };
  }
  addChange(change, settleDelivery(view, sent));
  if (about !== undefined) addChange(change, endOffer(view, about, 'answered_by_other', agent));
  change.writes.push(...audit(now));
  return { ...change, result: { ok: true, key, row, replayed: false } };
}

/** The first answer in its place is counted. Any other send that names the event settles it too, and is not its answer. */
function settleDelivery(view: UnitView, { delivery, licence }: SendView): Change {
  if (delivery === undefined) return noChange();
  return licence.answers ? countAnswer(view, delivery, true) : settle(delivery, 'responded', null, view.now);
}

function bodyOf(
  { input, delivery, licence, answers: answered, files, visibility }: SendView,
  { place }: ConversationState,
  target: Destination,
): MessageBody {
  const { text, directedness, recipient, mentions = [], obligation } = input;
  const root = target.opens?.root;
  const to = target.to?.startsWith('agent:') === true ? target.to : recipient;
  const answers = delivery === undefined || !licence.answers ? {} : { delivery: delivery.key };
  const opens = root === undefined ? {} : { root };
  const reader = visibility === 'ephemeral' ? readerOf(input, answered?.record.event.author) : undefined;
  const only = reader === undefined ? {} : { onlyFor: reader };
  const said = { text, visibility, directedness, mentions, obligation, recipient: to, place };
  const attached = files.length === 0 ? {} : { attachments: files.map(listed) };
  return { ...said, ...attached, ...opens, ...only, ...answers };
}
