// C2A draft 2026-06-02, first half: from the core principle to the injection modes, in the order of the text.
// What an event is, who it is for, what the agent owes it and how much of it the model sees.
import { type Requirement, tableOf } from '../requirement.ts';

const rows = tableOf('C2A-06-02', 'c2a-2026-06-02.txt');

export const C2A_06_02_EVENTS: readonly Requirement[] = [
  ...rows('Core Principle', 'core', 'MUST', 'attention', 'wire', {
    'delivery-is-not-injection':
      'An agent within reach of an event can be given a mode (tool_mailbox, silent) that puts nothing before its model',
    'policy-on-every-event':
      'Every decision about an event carries a response policy, whatever the event and whoever the agent',
  }),
  ...rows('Core Principle', 'core', 'MUST', 'agent', 'wire', {
    'agent-obeys-policy':
      'The harness lets the policy win over the model: no turn is started that the policy does not allow to speak',
  }),

  ...rows('Participants', 'participants', 'MAY', 'protocol', 'wire', {
    'any-message-source':
      'An event may come from any platform: the source names it freely, from no fixed list',
  }),
  ...rows('Participants', 'participants', 'MUST', 'protocol', 'wire', {
    'identity-routes-only':
      'An identity on the wire is what routing and permissions need; a persona, title or org chart has no field',
  }),

  ...rows('Transport', 'transport', 'MAY', 'transport', 'wire', {
    agnostic: 'The same messages work over every transport: WebSocket, HTTP, stdio, webhooks, in memory',
  }),
  ...rows('Transport', 'transport', 'MUST', 'transport', 'wire', {
    'keeps-order': 'Events of one conversation arrive in the order the platform gave them',
    'keeps-event-ids': 'An event keeps its id over every transport, attempt and reconnect',
    'idempotent-sends': 'The same outbound send carried twice has one visible effect',
    ack: 'A delivery can be acknowledged, and the acknowledgement reaches the host',
    retry: 'A delivery that was not acknowledged is carried again',
    resume: 'After a reconnect delivery goes on where the acknowledgements ended',
  }),

  ...rows('Data', 'data', 'SHOULD', 'protocol', 'wire', {
    'json-rpc': 'Every message is JSON-RPC 2.0, and bytes that are not get the standard error codes',
  }),
  ...rows('Data', 'data', 'MUST', 'protocol', 'wire', {
    'request-has-result':
      'A request carries an id and is matched by exactly one result or error with that id',
    'notification-unanswered':
      'A notification carries no id and is never answered, not even when it is wrong',
    'response-is-acceptance':
      'The result of a delivery says that it was accepted and has no room for what the model thinks of it',
  }),

  ...rows('Harness', 'harness', 'MUST', 'attention', 'wire', {
    'ambient-never-full-content':
      'By default no ambient event is given a mode that shows its content to the model',
  }),
  ...rows('Harness', 'harness', 'MUST', 'agent', 'wire', {
    'ambient-never-user-message':
      'The harness never turns a raw ambient stream into user messages by default',
  }),
  ...rows('Harness', 'harness', 'TABLE', 'agent', 'wire', {
    'six-exposures':
      'The harness treats the six modes as six things: at once, after composing, knock only, tool only, digest, nothing',
  }),

  ...rows('Initialization', 'initialize', 'SHOULD', 'host', 'wire', {
    'starts-the-session':
      'A session starts with initialize; anything sent before it is refused with a typed error',
  }),
  ...rows('Initialization', 'initialize', 'SHOULD', 'protocol', 'wire', {
    params:
      'initialize carries protocolVersion, clientInfo with name and version, and capabilities; the example parses',
  }),
  ...rows('Initialization', 'initialize', 'TABLE', 'protocol', 'wire', {
    'delivery-capabilities': 'A peer declares ack, redelivery and idempotency of deliveries',
    'injection-capabilities':
      'A peer declares immediate, buffered, notify, tool_mailbox, digest and, apart from them, interrupt',
    'chat-tool-capabilities':
      'A peer declares readThread, sendMessage, react, reactionSignals, claim, defer and resolve',
    'utility-capabilities': 'A peer declares progress, cancellation and logging',
  }),
  ...rows('Initialization', 'initialize', 'MUST', 'protocol', 'wire', {
    'negotiated-version':
      'The answer names the version agreed on; with no common version it is an error listing the supported ones',
    'negotiated-capabilities': 'The answer names the capabilities both sides have, and no other',
  }),
  ...rows('Initialization', 'initialize', 'SHOULD', 'attention', 'wire', {
    'undeclared-mode-unused':
      'A mode that the harness has not declared is never chosen: the next one it has takes its place',
  }),
  ...rows('Initialization', 'initialize', 'SHOULD', 'agent', 'wire', {
    'undeclared-interrupt-unused': 'A harness that declares interrupt false is never interrupted in a turn',
  }),

  ...rows('Operation', 'operation', 'MUST', 'host', 'wire', {
    'host-delivers': 'The host hands every due event to the connected harness of its agent',
  }),
  ...rows('Operation', 'operation', 'MUST', 'agent', 'wire', {
    'harness-acknowledges': 'The harness acknowledges each event it has accepted',
  }),
  ...rows('Operation', 'operation', 'MUST', 'tools', 'wire', {
    'context-through-tools': 'An agent that needs more than its turn shows reads it through tools',
    'keyed-sends': 'All outbound chat runs under an idempotency key',
  }),
  ...rows('Shutdown', 'shutdown', 'MUST', 'transport', 'wire', {
    'transport-owns-it': 'Closing the transport ends the session; there is no shutdown method',
  }),
  ...rows('Shutdown', 'shutdown', 'SHOULD', 'store', 'wire', {
    'undelivered-persist':
      'What was not delivered when the harness went away is still stored, also after a restart',
  }),
  ...rows('Shutdown', 'shutdown', 'SHOULD', 'host', 'wire', {
    'resumes-from-last-ack': 'A returning harness gets everything after the last event it acknowledged',
  }),

  ...rows('Event Envelope', 'envelope', 'SHOULD', 'protocol', 'wire', {
    shape:
      'An inbound event is a chat/deliver request in the full envelope; the example of the draft parses unchanged',
    source: 'The envelope names platform and workspace',
    'stream-and-thread': 'The conversation may name its stream and its thread',
    author: 'The author has id, kind and display name',
    'mentions-and-recipient': 'The target lists who is mentioned and names the recipient, if there is one',
    timing: 'The envelope gives creation time and sequence in the conversation',
    'reason-priority-deadline': 'The attention part gives the reason, the priority and the deadline in ms',
    'context-and-role': 'The injection part says how much context comes along and in which role',
    attempt: 'The reliability part counts delivery attempts from 1',
  }),
  ...rows('Event Envelope', 'envelope', 'MUST', 'protocol', 'wire', {
    'event-id': 'An envelope without eventId is refused',
    'conversation-kind': 'conversation.kind is required and one of dm, channel, thread, system, tool',
    'content-parts': 'Exposed content is required and a list of typed parts',
    'notify-has-no-content': 'A notify envelope has a knock in place of content',
    directedness: 'target.directedness is required and one of to_me, to_my_role, to_other, ambient',
    policy: 'attention.policy is required',
    mode: 'injection.mode is required and one of the six',
    'idempotency-key':
      'reliability.idempotencyKey is required and the same on every attempt for event and agent',
  }),

  ...rows('Event Envelope', 'envelope', 'MUST', 'host', 'wire', {
    'stable-source-event-id':
      'The eventId is a stable ID of the source event: the same event always has it, and no other event of any conversation, workspace or platform does',
  }),

  ...rows('Attention Model', 'attention', 'MUST', 'attention', 'wire', {
    'three-answers':
      'A decision answers three things apart from each other: directedness, policy, injection mode',
    'full-path-is-reserved':
      'Full content and a turn go only to what is directed and worth it: not to the undirected, not to thanks sent to me',
  }),
  ...rows('Attention Model', 'attention', 'MAY', 'protocol', 'wire', {
    'must-respond-as-knock': 'A must_respond event may be delivered as a notify knock',
  }),
  ...rows('Attention Model', 'attention', 'MAY', 'attention', 'wire', {
    'may-respond-in-full': 'A may_respond event may be injected with its full content',
  }),
  ...rows('Attention Model', 'attention', 'SHOULD', 'attention', 'wire', {
    'directedness-leads':
      'Policy and mode have defaults on every axis, and directedness is the main input to both',
  }),

  ...rows('Directedness', 'directedness', 'MUST', 'attention', 'wire', {
    'from-mentions': 'Directedness follows from whom the mentions resolve to',
    'from-recipients': 'Directedness follows from the recipients the event names',
    'from-ownership': 'Directedness follows from who owns the stream, thread or task',
    'needs-binding':
      'An agent without a binding to the conversation, its identities and its streams is given no directedness at all',
  }),
  ...rows('Directedness', 'directedness', 'TABLE', 'attention', 'wire', {
    'to-me-dm': 'A DM to this session is to_me',
    'to-me-mention': 'A mention that resolves to this agent is to_me',
    'to-me-default': 'to_me is buffered unless something else is said',
    'to-my-role-role-mention': 'A mention of a role this agent holds is to_my_role',
    'to-my-role-owned-thread': 'A message in a thread this agent owns is to_my_role',
    'to-my-role-owned-stream': 'A message in a stream this agent owns is to_my_role',
    'to-my-role-default': 'to_my_role is a notify knock first, and more only for who claims',
    'to-other-agent': 'What is addressed to another agent is to_other',
    'to-other-user': 'What is addressed to another person is to_other',
    'to-other-default': 'to_other goes to tool_mailbox or silent',
    ambient: 'What is addressed to nobody is ambient',
    'ambient-default': 'ambient goes to tool_mailbox',
  }),

  ...rows('Response Policy', 'policy', 'TABLE', 'protocol', 'shape', {
    'closed-list':
      'An event carries exactly one of must_respond, may_respond, ack_only, must_not_respond, and nothing else parses',
  }),
  ...rows('Response Policy', 'policy', 'TABLE', 'host', 'wire', {
    'must-respond':
      'must_respond is met by an answer or by an explicit deferral (tool or reaction), not by silence',
    'ack-only': 'ack_only allows a reaction or a short receipt; a substantive reply to it is refused',
  }),
  ...rows('Response Policy', 'policy', 'TABLE', 'agent', 'wire', {
    'may-respond': 'may_respond is put to the model as: speak only if you own the work or really help',
  }),
  ...rows('Response Policy', 'policy', 'TABLE', 'tools', 'wire', {
    'must-not-respond': 'A send in answer to a must_not_respond event is refused',
  }),

  ...rows('Default Matrix', 'matrix', 'TABLE', 'attention', 'wire', {
    dm: 'DM to this session: to_me, must_respond, buffered',
    thanks: 'Thanks or acknowledgement to me: to_me, ack_only, notify or silent',
    'direct-mention': 'Direct mention: to_me, must_respond, buffered together with the thread as context',
    assignment: 'Assignment: to_me, must_respond, immediate or buffered',
    approval: 'Approval addressed to me: to_me, must_respond, immediate or buffered',
    blocker: 'Blocker reported to me: to_me, must_respond, immediate or buffered',
    'thread-question': 'Direct question in a thread: to_me, must_respond, buffered',
    'role-mention': 'Role or group mention: to_my_role, may_respond once claimed, notify',
    'role-mention-claimant':
      'Whoever claims a role mention gets the event itself, buffered; nobody else does',
    'thread-participation': 'Reply in a thread where I have spoken: to_my_role, may_respond, notify',
    'to-other-agent': 'Message to another agent: to_other, must_not_respond, tool_mailbox',
    'agent-no-task': 'Agent message that asks for nothing: to_other, must_not_respond, tool_mailbox',
    'unmentioned-channel': 'Channel message that mentions nobody: ambient, must_not_respond, tool_mailbox',
    logs: 'Log line: ambient, must_not_respond, digest or silent',
    progress: 'Progress report: ambient, must_not_respond, digest or silent',
    'status-broadcast': 'Status broadcast: ambient, must_not_respond, digest or silent',
  }),
  ...rows('Default Matrix', 'matrix', 'MUST', 'attention', 'wire', {
    'intent-sets-policy':
      'With the same directedness the intent of the message decides the policy: a question and a thanks to me differ',
    'visible-is-no-reason': 'An event that is merely visible to an agent never allows it to answer',
    'directed-is-not-obliged': 'An event directed at an agent does not by that alone oblige it to answer',
  }),

  ...rows('immediate', 'immediate', 'TABLE', 'attention', 'wire', {
    'urgent-mention': 'An urgent message to me is immediate',
    approval:
      'An approval to me is shown in full without waiting for a pull (immediate, or buffered by the matrix)',
    cancellation: 'A cancellation to me is immediate',
    safety: 'A safety issue raised with me is immediate',
  }),
  ...rows('immediate', 'immediate', 'SHOULD', 'attention', 'wire', {
    'urgent-priority':
      'Urgent messages, safety issues and cancellations carry priority urgent, all others normal',
  }),
  ...rows('immediate', 'immediate', 'SHOULD', 'agent', 'wire', {
    'no-hard-interrupt':
      'A model that is already answering is interrupted only by priority urgent or by a cancellation of its work',
  }),
  ...rows('buffered', 'buffered', 'TABLE', 'attention', 'wire', {
    'normal-dm-and-mention': 'DMs and mentions without urgency are buffered',
  }),
  ...rows('buffered', 'buffered', 'SHOULD', 'compose', 'wire', {
    'one-turn': 'Messages close together by one author in one conversation become one turn, in order',
    'same-author-only': 'Messages of two authors are never merged into one turn',
    'same-conversation-only': 'Messages of one author in two conversations are never merged',
    'waits-for-typing': 'Where the platform tells of typing, the window stays open until typing stops',
    'waits-2-to-5-seconds': 'Without typing signs the window closes 2 to 5 s after the latest message',
    'merges-up-to-30-seconds': 'The window closes 30 s after its first message however steadily more arrive',
    'injects-the-edit': 'An edit made while the window is open replaces the text that is injected',
    'pieces-example': 'The five fragments of the example come out as one turn',
  }),
  ...rows('notify', 'notify', 'MUST', 'protocol', 'wire', {
    'knock-fields': 'A knock says who, where, directedness, policy, priority and a topic; the example parses',
    'pull-with': 'A knock names the tool that gets the content',
    'content-withheld': 'A notify delivery holds no byte of the message, whatever the message says',
    'topic-is-the-hosts': 'The topic is short and made by the host; no text of the message can get into it',
  }),
  ...rows('notify', 'notify', 'TABLE', 'attention', 'wire', {
    'default-for-role-mentions': 'notify is the default for role mentions',
    'default-for-participation': 'notify is the default for threads in which I take part',
  }),
  ...rows('notify', 'notify', 'MUST', 'agent', 'wire', {
    'injects-the-knock': 'The harness puts the knock alone before the model, never the body',
  }),
  ...rows('notify', 'notify', 'MUST', 'tools', 'wire', {
    'pulled-by-tool': 'chat.read_thread and chat.list_events give the content behind a knock',
  }),
  ...rows('tool_mailbox', 'tool-mailbox', 'TABLE', 'attention', 'wire', {
    'for-ambient': 'Ambient channel traffic is decided tool_mailbox',
  }),
  ...rows('tool_mailbox', 'tool-mailbox', 'MUST', 'tools', 'wire', {
    'stored-and-readable': 'A tool_mailbox event is stored and can be read with the tools',
  }),
  ...rows('tool_mailbox', 'tool-mailbox', 'MUST', 'agent', 'wire', {
    'not-injected': 'A tool_mailbox event is never put into a prompt as a message to answer',
  }),
  ...rows('digest', 'digest', 'TABLE', 'host', 'wire', {
    periodic: 'Digest events reach the agent as a summary per period: channel state, progress, other streams',
  }),
  ...rows('digest', 'digest', 'MUST', 'attention', 'wire', {
    'must-not-respond': 'Whatever is decided digest is must_not_respond',
    'no-mention-inside': 'An explicit mention of me or an assignment to me is never decided digest',
  }),
  ...rows('silent', 'silent', 'TABLE', 'attention', 'wire', {
    'for-unneeded-state':
      'What the model does not need, such as a system conversation that names no recipient, is silent',
  }),
  ...rows('silent', 'silent', 'MUST', 'store', 'wire', {
    'persisted-only': 'A silent event is stored for audit and analytics',
  }),
  ...rows('silent', 'silent', 'MUST', 'host', 'wire', {
    'never-delivered': 'A silent event is never handed to a harness',
  }),
];
