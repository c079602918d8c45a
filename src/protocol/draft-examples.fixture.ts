// Every JSON example of the drafts, verbatim: tests parse them. The obligations text describes two shapes in prose;
// they stand at the end, with concrete values.

export const INITIALIZE = `{
  "jsonrpc": "2.0",
  "id": "1",
  "method": "initialize",
  "params": {
    "protocolVersion": "2026-06-02",
    "clientInfo": {
      "name": "pear-chat-adapter",
      "version": "0.1.0"
    },
    "capabilities": {
      "delivery": {
        "ack": true,
        "redelivery": true,
        "idempotency": true
      },
      "injection": {
        "immediate": true,
        "buffered": true,
        "notify": true,
        "tool_mailbox": true,
        "digest": true,
        "interrupt": false
      },
      "chatTools": {
        "readThread": true,
        "sendMessage": true,
        "react": true,
        "reactionSignals": true,
        "claim": true,
        "defer": true,
        "resolve": true
      },
      "utilities": {
        "progress": true,
        "cancellation": true,
        "logging": true
      }
    }
  }
}`;

export const CHAT_DELIVER = `{
  "jsonrpc": "2.0",
  "id": "deliver-456",
  "method": "chat/deliver",
  "params": {
    "eventId": "evt_123",
    "source": {
      "platform": "slack",
      "workspaceId": "T123"
    },
    "conversation": {
      "id": "C123",
      "kind": "dm",
      "streamId": "stream_backend-migration",
      "threadId": "1748890000.000100"
    },
    "author": {
      "id": "U123",
      "kind": "human",
      "displayName": "Will"
    },
    "target": {
      "mentions": ["agent:lead"],
      "recipient": "agent:lead",
      "directedness": "to_me"
    },
    "content": [
      {
        "type": "text",
        "text": "Can you check whether the deploy is blocked?"
      }
    ],
    "timing": {
      "createdAt": "2026-06-02T19:10:00Z",
      "sequence": 42
    },
    "attention": {
      "policy": "must_respond",
      "reason": "direct_message",
      "priority": "normal",
      "deadlineMs": 300000
    },
    "injection": {
      "mode": "buffered",
      "context": "thread_window",
      "role": "user"
    },
    "reliability": {
      "attempt": 1,
      "idempotencyKey": "evt_123:agent_lead"
    }
  }
}`;

export const NOTIFY_FRAGMENT = `{
  "injection": { "mode": "notify" },
  "knock": {
    "from": "agent:worker-3",
    "where": "thread:deploy-migration",
    "directedness": "to_my_role",
    "policy": "may_respond",
    "priority": "normal",
    "topic": "question about the rollback step",
    "pullWith": "chat.read_thread"
  }
}`;

export const REACT_CALL = `{
  "name": "chat.react",
  "arguments": {
    "inReplyTo": "evt_123",
    "signal": "queued",
    "eta": "after the deploy completes"
  }
}`;

export const TOOL_LIST = `[
  {
    "name": "chat.list_events",
    "description": "List chat events available to this session, filtered by stream, conversation, policy, or time."
  },
  {
    "name": "chat.read_thread",
    "description": "Read a thread or conversation window."
  },
  {
    "name": "chat.send_message",
    "description": "Send an idempotent chat message."
  },
  {
    "name": "chat.react",
    "description": "Send a typed reaction signal as a zero-turn disposition."
  },
  {
    "name": "chat.claim",
    "description": "Claim responsibility for responding to a channel event or thread."
  },
  {
    "name": "chat.defer",
    "description": "Record that a must-respond event is deferred with a reason."
  },
  {
    "name": "chat.resolve",
    "description": "Mark an event, thread, or assignment resolved."
  }
]`;

export const CANCELLED = `{
  "jsonrpc": "2.0",
  "method": "notifications/cancelled",
  "params": {
    "requestId": "deliver-456",
    "reason": "Message was edited before response"
  }
}`;

export const PROGRESS = `{
  "jsonrpc": "2.0",
  "method": "notifications/progress",
  "params": {
    "progressToken": "deploy-check-1",
    "progress": 2,
    "total": 5,
    "message": "Checked build status"
  }
}`;

export const SHORT_EVENT = `{
"eventId": "evt_123",
"conversation": { "id": "C123", "kind": "dm" },
"author": { "id": "U123", "kind": "human", "displayName": "Will" },
"addressedToMe": true,
"policy": "must_respond",
"content": "Can you check whether the deploy is blocked?"
}`;

export const OBLIGATION = `{
  "blocks": "halted",
  "defaultAction": "Roll back at 17:00",
  "dischargeDelegate": "agent:lead"
}`;

export const REACTION = `{
  "reactionId": "rx_1",
  "targetEventId": "evt_123",
  "createdAt": "2026-08-11T09:00:00Z",
  "actor": "human:U123",
  "signal": "done",
  "recipient": "agent:lead"
}`;
