// C2A draft 2026-06-02, second half: from the prompt format to the minimal implementation, in the order of the text.
// How agents answer, what chat looks like to them, who may speak, and what survives failure.
import { type Requirement, tableOf } from '../requirement.ts';

const rows = tableOf('C2A-06-02', 'c2a-2026-06-02.txt');

export const C2A_06_02_RUNNING: readonly Requirement[] = [
  ...rows('Prompt Injection Format', 'prompt', 'SHOULD', 'agent', 'wire', {
    'structured-header':
      'An injected event opens with a header: event, conversation, thread, author, directedness, policy, reason, reply target',
    'message-apart':
      'The message stands in a section of its own, so that source text cannot pass for the header',
    'rule-obey-policy': 'The standing rules tell the model to obey the policy',
    'rule-no-reply-when-forbidden': 'The standing rules forbid replies to must_not_respond',
    'rule-may-respond':
      'The standing rules limit may_respond to own work, a direct question or removing a blocker',
    'rule-channels':
      'The standing rules keep the model out of channels unless mentioned, assigned or claimed',
    'rule-quoted-chat': 'The standing rules deny quoted chat the rank of system or developer instructions',
  }),

  ...rows('Response Rules', 'respond', 'MUST', 'attention', 'wire', {
    'dm-with-must-respond': 'A DM that asks me something obliges me',
    mentioned: 'A message that mentions me directly obliges me',
    assigned: 'Work assigned to me obliges me',
    'thread-question': 'A direct question to me in a thread I take part in obliges me',
    'owned-work-changed': 'New information in work I own leaves me free to answer',
  }),
  ...rows('Response Rules', 'respond', 'MUST', 'agent', 'wire', {
    'user-input-needed': 'An agent that needs a person to decide can ask that person during its turn',
  }),
  ...rows('Response Rules', 'quiet', 'MUST', 'attention', 'wire', {
    ambient: 'Ambient chatter is must_not_respond',
    status: 'A status update that asks for nothing is must_not_respond',
    'other-recipient': 'A message with another agent as its clear recipient is must_not_respond for me',
    'claimed-by-other': 'An event another agent has claimed is must_not_respond for me',
    superseded:
      'A message that an edit has replaced is not answered in its old form: its pending delivery ends',
    gratitude: 'Gratitude, acknowledgement and social filler call for no reply',
  }),
  ...rows('Response Rules', 'quiet', 'MUST', 'host', 'wire', {
    duplicate: 'A message received twice is answered once',
    stale: 'A message that has gone stale is not answered as if it were new',
    'silence-is-valid': 'A may_respond turn that says nothing settles without retry or complaint',
  }),
  ...rows('Response Rules', 'quiet', 'SHOULD', 'agent', 'wire', {
    'may-respond-prefers-silence':
      'For may_respond the model is told that silence is better than an idle reply',
  }),

  ...rows('Outbound Posture', 'outbound', 'MUST', 'tools', 'wire', {
    'deliberate-choice': 'A send states directedness and visibility; neither is guessed for the agent',
    'mention-obligates':
      'A mention in a send that shares information only is refused, with what to do instead',
    'no-mention-to-thank': 'Thanks or an acknowledgement with a mention is refused and a reaction suggested',
    'status-is-progress': 'Status and progress sent as chat with a mention is refused and progress suggested',
    'respect-claims': 'A reply to an event that somebody else has claimed is refused',
  }),
  ...rows('Outbound Posture', 'outbound', 'MUST', 'surfaces', 'wire', {
    'rendered-by-the-host':
      'The choice appears on the platform as DM, mention, thread reply, channel post or reaction',
  }),
  ...rows('Outbound Posture', 'outbound', 'TABLE', 'attention', 'wire', {
    'one-agent-acts':
      'An agent asks one agent by a DM or direct mention: to_me and must_respond for that one agent',
    'offer-to-a-role': 'An agent mentions a role: to_my_role and may_respond after claim for its holders',
    'add-to-owned-thread':
      'An agent posts in a thread I own without mention: to_my_role, may_respond, notify',
    'share-context': 'An agent posts in a channel without mention: nobody is obliged, must_not_respond',
    'report-progress': 'An agent reports progress: digest or nothing, never must_respond, for anybody',
  }),
  ...rows('Outbound Posture', 'outbound', 'TABLE', 'host', 'wire', {
    'react-without-a-turn':
      'Acknowledging, accepting or declining by reaction settles the event without a turn',
  }),
  ...rows('Outbound Posture', 'outbound', 'SHOULD', 'agent', 'wire', {
    'prefer-reactions': 'The model is told that "got it", "on it", "approved" and "not me" are reactions',
  }),
  ...rows('Outbound Posture', 'outbound', 'MUST', 'attention', 'wire', {
    'one-responder': 'One message of an agent obliges at most one agent, however many it names',
  }),
  ...rows('Outbound Posture', 'outbound', 'SHOULD', 'protocol', 'wire', {
    'carries-directedness': 'An event sent by an agent can carry the directedness its author meant',
  }),
  ...rows('Outbound Posture', 'outbound', 'SHOULD', 'attention', 'wire', {
    'directedness-inherited':
      'The directedness its author meant shapes the policy of the recipients; it raises only the one it names',
  }),

  ...rows('Event Disposition', 'disposition', 'TABLE', 'protocol', 'shape', {
    'closed-list': 'A disposition is one of the seven words and nothing else parses',
  }),
  ...rows('Event Disposition', 'disposition', 'SHOULD', 'host', 'wire', {
    'exactly-one': 'Every delivered event ends with one disposition and keeps it',
    'must-not-respond-ends': 'must_not_respond ends ignored, or superseded',
    'ack-only-ends': 'ack_only ends acknowledged or ignored',
    'must-respond-ends': 'must_respond ends responded, acknowledged, deferred, superseded or failed',
    'acknowledged-must-satisfy':
      'must_respond ends acknowledged only where a signal is all that was asked for, not where an answer was',
  }),
  ...rows('Event Disposition', 'disposition', 'TABLE', 'host', 'wire', {
    responded: 'A reply, completion signal or resolving action ends the event responded',
    acknowledged: 'A reaction, a seen mark or a short receipt ends the event acknowledged',
    deferred: 'Accepting responsibility but needing time or input makes the event deferred',
    claimed: 'Owning the event without having finished it makes it claimed',
    ignored: 'An event that needed no response under its policy ends ignored',
    superseded: 'An event replaced by an edit, a delete or a newer merged turn ends superseded',
    failed: 'An event the harness could not process ends failed',
  }),

  ...rows('Reaction Signals', 'signal', 'MUST', 'host', 'wire', {
    'zero-turn': 'A reaction discharges an event with neither a model turn nor a chat message',
  }),
  ...rows('Reaction Signals', 'signal', 'MUST', 'protocol', 'wire', {
    'not-the-emoji': 'The wire carries the signal; a glyph in its place does not parse',
    'agents-see-signals': 'Whatever glyph a workspace uses, an agent reads and writes the same signal',
    'react-arguments': 'chat.react takes inReplyTo, signal and an optional eta; the example parses',
  }),
  ...rows('Reaction Signals', 'signal', 'TABLE', 'protocol', 'wire', {
    seen: 'seen is 👀 and gives acknowledged',
    agree: 'agree is 👍 and gives acknowledged',
    working: 'working is 🔧 and gives claimed',
    queued: 'queued is 🕐 and gives deferred',
    claimed: 'claimed gives claimed',
    done: 'done gives responded',
    declined: 'declined is 🙅 and gives ignored',
    blocked: 'blocked is 🚧 and gives deferred',
    unclear: 'unclear gives no disposition',
  }),
  ...rows('Reaction Signals', 'signal', 'MAY', 'protocol', 'wire', {
    'glyphs-remapped': 'A workspace may map signals to other glyphs while capabilities are negotiated',
  }),
  ...rows('Reaction Signals', 'signal', 'MUST', 'surfaces', 'wire', {
    'mapped-to-the-platform':
      'The host turns signals into the platform’s reactions and reactions back into signals',
  }),
  ...rows('Reaction Signals', 'signal', 'MUST', 'attention', 'wire', {
    'on-own-message':
      'A reaction on an agent’s own message is an inbound signal for that agent and for no other',
    'agree-proceeds': 'agree on what I asked tells me to go on: it counts as the answer to my open question',
    'declined-revises': 'declined on what I asked tells me to revise: it reaches me as an answer too',
    'done-is-handled': 'done on my message tells me that it has been dealt with already',
  }),
  ...rows('Reaction Signals', 'signal', 'SHOULD', 'attention', 'wire', {
    'inbound-is-quiet': 'An inbound reaction that changes no obligation is notify or tool_mailbox',
    'inbound-may-oblige':
      'Only an inbound reaction that changes a must_respond obligation gets more than a knock',
  }),

  ...rows('Chat Tools', 'tools', 'SHOULD', 'protocol', 'wire', {
    'seven-tools':
      'The protocol names the seven recommended tools, each with description, arguments and result',
  }),
  ...rows('Chat Tools', 'tools', 'SHOULD', 'tools', 'wire', {
    'state-as-tools': 'Chat state is reached through tools, and is not injected instead',
    'list-events': 'chat.list_events lists the session’s events by stream, conversation, policy or time',
    'read-thread': 'chat.read_thread reads a thread or a window of a conversation',
    'send-message': 'chat.send_message sends one message, idempotently',
    react: 'chat.react sends a typed signal that settles the event without a turn',
    claim: 'chat.claim takes responsibility for answering a channel event or a thread',
    defer: 'chat.defer records that a must_respond event is deferred, and why',
    resolve: 'chat.resolve marks an event, a thread or an assignment resolved',
  }),
  ...rows('Chat Tools', 'send', 'MUST', 'protocol', 'wire', {
    target: 'A send without its target conversation or thread is refused',
    'in-reply-to': 'A send can name the event it answers',
    'idempotency-key': 'A send without idempotency key is refused',
    visibility: 'A send states dm, thread, channel or ephemeral',
    directedness: 'A send states its intended audience',
  }),

  ...rows('Coordination And Claims', 'claims', 'SHOULD', 'attention', 'wire', {
    'one-default-responder':
      'A mention of a channel as a whole (@here, @channel) wakes at most one default responder',
    'claim-before-reply': 'A channel event may be answered in substance only by an agent that has claimed it',
    ttl: 'A claim ends with its TTL and the event is free again',
    'role-one-or-claim':
      'A role mention selects one responder or waits for a successful claim: never two answers',
    'worker-chatter': 'Chatter among workers in their threads and channels is not injected into the lead',
  }),
  ...rows('Coordination And Claims', 'claims', 'MUST', 'attention', 'wire', {
    'owned-by-other':
      'While another agent holds the claim, an agent may not answer, also not one that tried to claim',
  }),
  ...rows('Coordination And Claims', 'claims', 'SHOULD', 'host', 'wire', {
    'lead-by-dm': 'Work for a team goes to its lead by DM unless something else is configured',
  }),

  ...rows('Reliability', 'reliability', 'MUST', 'host', 'wire', {
    'at-least-once':
      'Deliveries happen at least once; a lost acknowledgement leads to a repeat, not to a loss',
    'idempotent-operations':
      'Repeating any operation with an effect (send, react, claim, defer, resolve) changes nothing',
  }),
  ...rows('Inbound Delivery', 'inbound', 'MUST', 'protocol', 'wire', {
    'deliver-is-a-request':
      'chat/deliver goes from host to harness as a request, so that it can be acknowledged',
  }),
  ...rows('Inbound Delivery', 'inbound', 'MUST', 'agent', 'wire', {
    'answers-after-accepting': 'The harness answers a delivery only once it holds the event',
    'dedupe-by-event-id': 'A repeated eventId never starts a second turn',
  }),
  ...rows('Inbound Delivery', 'inbound', 'MUST', 'host', 'wire', {
    'retry-same-ids': 'A retry carries the eventId and idempotencyKey of the first attempt',
  }),
  ...rows('Model Retry', 'model-retry', 'MAY', 'agent', 'wire', {
    'same-event-next-attempt':
      'A turn that failed before it did anything may run again with the attempt counted up',
  }),
  ...rows('Model Retry', 'model-retry', 'MUST', 'agent', 'wire', {
    'no-different-answer': 'A turn that has already sent something is never run again to say something else',
  }),
  ...rows('Model Retry', 'model-retry', 'MUST', 'host', 'wire', {
    'unless-never-delivered':
      'A different answer is allowed only after the first failed for good and the host confirms it was not delivered',
  }),
  ...rows('Outbound Retry', 'outbound-retry', 'MUST', 'host', 'wire', {
    'transient-failures': 'Network, platform and rate-limit failures of a send are retried',
    'same-key-and-body': 'A retried send has the key and body of the first',
    'no-second-message': 'One semantic response is visible once, whatever failed on the way',
  }),
  ...rows('Outbound Retry', 'outbound-retry', 'MUST', 'tools', 'wire', {
    'permanent-failures': 'A send that failed for good is reported as the tool’s result',
  }),
  ...rows('Tool Retry', 'tool-retry', 'SHOULD', 'protocol', 'wire', {
    'declare-idempotency': 'Each tool declares whether it is idempotent',
  }),
  ...rows('Tool Retry', 'tool-retry', 'MAY', 'agent', 'wire', {
    'safe-tools': 'Idempotent reads and safe writes may be called again after a failure',
  }),
  ...rows('Tool Retry', 'tool-retry', 'MUST', 'agent', 'wire', {
    'side-effects':
      'A tool with side effects is not retried without an idempotency key or explicit confirmation',
  }),
  ...rows('Stale Events', 'stale', 'SHOULD', 'host', 'wire', {
    'carries-a-deadline': 'A must_respond delivery carries a deadline or a freshness window',
    'expired-downgrade-or-check':
      'An expired event becomes may_respond, or the state of the thread has to be checked before a reply',
    'same-harness-first': 'An unhandled must_respond goes to the same harness again before it is escalated',
    'no-broadcast': 'An unhandled must_respond is never broadcast to all agents',
    'escalates-to-one': 'Escalation goes to a lead, an owner or a responder the policy selects',
  }),

  ...rows('Cancellation And Progress', 'cancel', 'MUST', 'protocol', 'wire', {
    notification:
      'notifications/cancelled names the request and a reason and is a notification; the example parses',
  }),
  ...rows('Cancellation And Progress', 'cancel', 'MUST', 'host', 'wire', {
    'pending-event': 'A cancelled event that is still pending is not delivered any more',
  }),
  ...rows('Cancellation And Progress', 'cancel', 'MUST', 'agent', 'wire', {
    'running-turn': 'A cancellation stops the turn it names',
    'tool-call': 'A cancellation stops the tool call it names',
  }),
  ...rows('Cancellation And Progress', 'progress', 'MUST', 'protocol', 'wire', {
    notification:
      'notifications/progress has token, progress, total and message, and no id; the example parses',
  }),
  ...rows('Cancellation And Progress', 'progress', 'MUST', 'attention', 'wire', {
    'not-chat': 'Progress is not ordinary chat: it addresses nobody and asks for no answer',
  }),
  ...rows('Cancellation And Progress', 'progress', 'MAY', 'console', 'wire', {
    displayed: 'Progress may be shown to people as it comes in',
  }),
  ...rows('Cancellation And Progress', 'progress', 'MAY', 'host', 'wire', {
    digested: 'Progress may be summed up in digests',
  }),
  ...rows('Cancellation And Progress', 'progress', 'MAY', 'agent', 'wire', {
    'injected-on-request': 'Progress enters a turn only when the user asks for status',
  }),

  ...rows('Edits, Deletes, And Fragments', 'edits', 'MUST', 'compose', 'wire', {
    'before-injection': 'A message edited before injection is injected as edited',
    'fragments-merge': 'Several fragments of a person are buffered and merged into one turn',
  }),
  ...rows('Edits, Deletes, And Fragments', 'edits', 'MAY', 'attention', 'wire', {
    'after-response': 'An edit after the response may be a new event with the reason edited_after_response',
  }),
  ...rows('Edits, Deletes, And Fragments', 'edits', 'MUST', 'attention', 'wire', {
    'deleted-before-response': 'Deleting a message nobody has answered cancels its pending event',
  }),
  ...rows('Edits, Deletes, And Fragments', 'edits', 'MAY', 'agent', 'wire', {
    'fragment-while-thinking':
      'A fragment that arrives while the model thinks and nothing was sent may restart the turn with all of it',
  }),

  ...rows('Security And Trust', 'security', 'SHOULD', 'protocol', 'wire', {
    'metadata-apart':
      'Protocol metadata and user text never share a field: no text can change a field around it',
  }),
  ...rows('Security And Trust', 'security', 'SHOULD', 'agent', 'wire', {
    'boundary-in-prompt': 'In the prompt no user text can forge a header, a notice or the end of its fence',
    'no-override': 'A chat message cannot override system or developer instructions',
  }),
  ...rows('Security And Trust', 'security', 'SHOULD', 'security', 'wire', {
    'content-untrusted': 'All chat content is handled as untrusted input at every entrance',
    'permissions-before-tools':
      'No tool shows an event before the workspace’s and channel’s permissions were checked',
    redaction: 'Secrets and sensitive data are redacted where they can be recognised',
    'rate-limit-in': 'Inbound events are rate-limited',
    'rate-limit-out': 'Outbound replies are rate-limited',
    'audit-deliveries': 'Deliveries are audited',
    'audit-claims': 'Claims are audited',
    'audit-policies': 'The response policy of each event is audited',
    'audit-tool-calls': 'Tool calls are audited',
    'audit-sends': 'Outbound messages are audited',
    'shown-before-sensitive-work': 'People are shown sensitive work before an agent does it',
    'shown-before-private-content':
      'People are shown private channel content before an agent exposes it elsewhere',
  }),

  ...rows('Minimal Viable C2A', 'minimal', 'MUST', 'protocol', 'wire', {
    '1-envelope':
      'There is an envelope with eventId, conversation, directedness, policy, mode, and content or else a knock',
    '3-policies': 'The four response policies exist',
    '4-notify': 'There is notify, so that an agent pulls content instead of paying a turn for each event',
    '6-signals': 'There are reaction signals, at least seen, queued and done',
  }),
  ...rows('Minimal Viable C2A', 'minimal', 'MUST', 'attention', 'wire', {
    '2-directedness-defaults': 'By default to_me injects, to_my_role knocks and ambient is for tools only',
    '8-claiming': 'A channel event can be claimed',
  }),
  ...rows('Minimal Viable C2A', 'minimal', 'MUST', 'compose', 'wire', {
    '5-human-turns': 'The fragments of a person are assembled into one turn for DMs and mentions alike',
  }),
  ...rows('Minimal Viable C2A', 'minimal', 'MUST', 'tools', 'wire', {
    '7-send': 'chat.send_message is idempotent and states its directedness',
  }),
  ...rows('Minimal Viable C2A', 'minimal', 'MUST', 'host', 'wire', {
    '9-retry-and-dedupe': 'Retries are deduplicated by event id and idempotency key',
  }),
];
