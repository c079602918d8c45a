// A delivery in the MCP channel: whether it wakes the model, what its knock says, and the event that `chat_wait_events`
// returns. The session carries the full envelope; models get the short event.
import { rootId, type TurnEvent, routeOf } from '../agent/event.ts';
import type { ChannelDelivery } from '../host/mcp/channel-inbox.ts';
import { type Knock, knockFor } from '../protocol/knock.ts';
import { isKnockTopic } from '../protocol/knock-topic.ts';
import { SHORT_KIND_OF, SHORT_POLICY_OF } from '../protocol/short-event.ts';
import { REASONS } from '../protocol/vocabulary.ts';

export function channelDelivery(turnEvent: TurnEvent): ChannelDelivery {
  const route = routeOf(turnEvent);
  return {
    eventId: turnEvent.eventId,
    about: rootId(turnEvent),
    policy: turnEvent.policy,
    startsTurn: route === 'fragment' || route === 'knock',
    claimFirst: turnEvent.notices.includes('claim_first'),
    target: turnEvent.conversation.target,
    createdAt: turnEvent.createdAt,
    knock: (now) => knockOf(turnEvent, now),
    event: shortEvent(turnEvent),
  };
}

/** Built from the header alone, so that it contains no word of the message. */
function knockOf(event: TurnEvent, now: number): Knock {
  const { author, directedness, priority, policy, createdAt = now } = event;
  const made = knockFor({
    author,
    directedness,
    priority,
    policy,
    createdAt,
    handedAt: now,
    conversation: placeOf(event),
    // The envelope has no intent. The topic comes from the host's knock.
    intent: 'statement',
    reason: REASONS.find((known) => known === event.reason) ?? 'ambient',
  });
  const topic = event.knock?.topic;
  return topic === undefined || !isKnockTopic(topic) ? made : { ...made, topic };
}

function placeOf({ conversation: { id, threadId, kind } }: TurnEvent): {
  id: string;
  kind: TurnEvent['conversation']['kind'];
} {
  return threadId === undefined ? { id, kind } : { id: threadId, kind: 'thread' };
}

function shortEvent(event: TurnEvent): object {
  const { eventId, refersTo, author, text, attachments, reaction, mode, requiresThreadCheck, notices } =
    event;
  const { id, kind } = placeOf(event);
  const conversation = { id, kind: SHORT_KIND_OF[kind] };
  const policy = SHORT_POLICY_OF[event.policy];
  const { directedness, priority, knock, obligation } = event;
  const body =
    knock === undefined
      ? {
          content: text,
          ...(attachments.length === 0
            ? {}
            : { attachments: attachments.map((one) => ({ type: 'attachment', ...one })) }),
        }
      : { knock: { ...knock, directedness, policy, priority } };
  return {
    eventId,
    ...(refersTo === undefined ? {} : { refersTo }),
    conversation,
    author,
    addressedToMe: directedness === 'to_me',
    policy,
    ...body,
    ...(reaction === undefined ? {} : { reaction }),
    ...(mode === 'buffered' ? {} : { mode }),
    ...(requiresThreadCheck ? { requiresThreadCheck } : {}),
    ...(notices.length === 0 ? {} : { notices }),
    ...(obligation === undefined ? {} : { obligation }),
  };
}
