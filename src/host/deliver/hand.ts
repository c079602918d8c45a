// Sends one delivery of a lane to its session: in the mode that the harness can take, complete, and not before what was
// ready earlier in its conversation.
import type { DeliveryRow } from '../../store/tables.ts';
import { type Moved, settle } from '../delivery/move.ts';
import { noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Link, LinkAnswer } from '../session/session-row.ts';
import type { HandOutcome, LaneItem } from './lane.ts';
import { lowerModeFor, wireEventOf } from './payload.ts';
import { waitingKnocks } from './waiting-knocks.ts';

/** What a delivery is sent with. */
export interface Sending {
  link: Link;
  /** By the key of a delivery the id of the request that handed it over in this session. */
  requests: Map<string, string>;
  /** By conversation what is being prepared before it is sent. What comes after it there waits for that. */
  preparing: Map<string, Promise<void>>;
  isInLane: (key: string) => boolean;
}

export function hand(
  context: HostContext,
  sending: Sending,
  item: LaneItem,
): HandOutcome | Promise<HandOutcome> {
  const { delivery } = item;
  const mode = lowerModeFor(delivery, sending.link.agreement.capabilities);
  if (mode === 'tool_mailbox') {
    void update(context, item, (row, now) => settle(row, 'ignored', 'capability', now));
    return { type: 'settled' };
  }
  const lowered = mode === delivery.mode ? item : { ...item, delivery: { ...delivery, mode } };
  const isFirst = !sending.preparing.has(delivery.conversation);
  if (mode !== 'notify' && isFirst) return send(context, sending, lowered);
  return sendInOrder(context, sending, lowered);
}

/** A knock says what else waits, and that is read first. What was ready after it in its conversation is sent after it. */
async function sendInOrder(context: HostContext, sending: Sending, item: LaneItem): Promise<HandOutcome> {
  const { preparing, isInLane } = sending;
  const { key, conversation, mode } = item.delivery;
  const earlier = preparing.get(conversation);
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  preparing.set(conversation, isSent);
  let outcome: HandOutcome | Promise<HandOutcome>;
  try {
    await earlier;
    const read = mode === 'notify' ? await waitingKnocks(context, item.delivery) : undefined;
    // Whatever ended meanwhile is not sent any more.
    if (!isInLane(key)) return { type: 'gone' };
    outcome = send(context, sending, read === undefined ? item : { ...item, waiting: read });
  } finally {
    if (preparing.get(conversation) === isSent) preparing.delete(conversation);
    sent();
  }
  return outcome;
}

function send(
  context: HostContext,
  { link, requests }: Sending,
  item: LaneItem,
): HandOutcome | Promise<HandOutcome> {
  const event = wireEventOf(context, item, link.agreement);
  const { delivery, utilities } = link.agreement.capabilities;
  // Without acknowledgements an event is a notification: what was sent counts as accepted.
  if (!delivery.ack) return { type: link.notify('chat/deliver', event) ? 'accepted' : 'gone' };
  const { ackTimeoutMs: timeoutMs } = context.settings.limits;
  const onSent = (requestId: string): void => {
    if (utilities.cancellation) requests.set(item.delivery.key, requestId);
  };
  return link.request('chat/deliver', event, { timeoutMs, onSent }).then(outcomeOf);
}

function outcomeOf(answer: LinkAnswer): HandOutcome {
  switch (answer.type) {
    case 'result':
      return { type: 'accepted' };
    case 'timeout':
      return { type: 'again', why: 'no_acknowledgement' };
    case 'closed':
      return { type: 'gone' };
    case 'error':
      return answer.retryable
        ? { type: 'again', why: answer.message, afterMs: answer.retryAfterMs }
        : { type: 'refused', why: answer.message };
  }
}

/** Moves one delivery. Does nothing if it has ended meanwhile. Never rejects. */
function update(
  { apply, log }: HostContext,
  { delivery: { key } }: LaneItem,
  run: (row: DeliveryRow, now: number) => Moved,
): Promise<void> {
  return apply({
    states: [],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const { writes, news } = row === undefined ? noChange() : run(row, view.now);
      return { writes, news, result: undefined };
    },
  }).catch((error: unknown) => {
    log.error({ err: error, delivery: key }, 'a delivery could not be updated; it is handed over again');
  });
}
