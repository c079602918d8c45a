// What a session gets or may do differently without each capability. Complete by type: a new flag does not compile
// without words here.
import type { CapabilityBlocks } from '../../src/protocol/capabilities.ts';

export const WITHOUT_CAPABILITY: {
  readonly [Block in keyof CapabilityBlocks]: { readonly [Flag in keyof CapabilityBlocks[Block]]: string };
} = {
  delivery: {
    ack: '`chat/deliver` is a notification: what was sent, or pulled, counts as accepted, and nothing waits for an answer.',
    redelivery:
      'Every event is handed over once. What is not acknowledged is a dead letter; what was accepted does not come again in a later session, and a pull is not offered it again.',
    idempotency:
      'A send needs no `idempotencyKey`. The host derives one from the call, so the same call again is the same message.',
  },
  injection: {
    immediate: 'Urgent events come as `buffered`.',
    buffered:
      'The host composes: what one author types in pieces is one event. With it every piece comes at once, and typing signs too.',
    notify:
      'A knock that must be answered, or an offer, comes in full as `buffered`; other knocks wait in the mailbox. Needs a tool to read with.',
    tool_mailbox: 'There is no `chat.list_events`.',
    digest: 'There are no digests.',
    interrupt:
      'Never agreed to: mode `immediate` says that an event should interrupt, and only the harness can do it.',
  },
  chatTools: {
    readThread: 'There is no `chat.read_thread`; knocks name `chat.list_events`.',
    sendMessage: 'There is no `chat.send_message`.',
    react: 'There is no `chat.react`. The host still sets `seen` and `queued` for the agent.',
    reactionSignals:
      'A reaction that is delivered comes in words, such as `👍 (agree)`, and has no `reaction`.',
    claim: 'There is no `chat.claim`, and offers to a role go to its other holders.',
    defer: 'There is no `chat.defer`.',
    resolve: 'There is no `chat.resolve`.',
  },
  utilities: {
    progress: 'Progress is refused.',
    cancellation:
      'There is no `notifications/cancelled`. An answer to what was withdrawn is refused all the same.',
    logging:
      'There is no `notifications/message`. With it the host says what it did with a notification that it refused.',
  },
};
