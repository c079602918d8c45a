// C2A draft 2026-06-24, the short one, written for the model. The stored text has lost its headings; the headings
// given here are the topics of its parts, in its order.
import { type Requirement, tableOf } from '../requirement.ts';

const rows = tableOf('C2A-06-24', 'c2a-2026-06-24.txt');

export const C2A_06_24: readonly Requirement[] = [
  ...rows('Delivery is not injection', 'core', 'MUST', 'attention', 'wire', {
    'delivery-is-not-injection': 'An event can be stored and shown without being decided into a model turn',
    'host-attaches-policy': 'The host, not the agent, gives every event its policy',
  }),
  ...rows('Delivery is not injection', 'core', 'MUST', 'agent', 'wire', {
    'agent-obeys-policy': 'The policy wins over the agent’s own urge to reply',
  }),

  ...rows('Policy', 'policy', 'TABLE', 'protocol', 'wire', {
    'one-of-three':
      'A short event carries exactly one of must_respond, may_respond, must_not_respond; the host’s ack_only becomes one',
  }),
  ...rows('Policy', 'policy', 'TABLE', 'attention', 'wire', {
    'must-respond': 'must_respond means that I am addressed: it is decided only for what is addressed to me',
    'may-respond': 'may_respond is the most that something visible and not addressed to me can get',
    'must-not-respond': 'must_not_respond is decided for what is not for me',
  }),
  ...rows('Policy', 'policy', 'MUST', 'agent', 'wire', {
    'may-respond-owner':
      'On may_respond the model is told to reply only if it owns the work or materially helps',
  }),

  ...rows('Injection modes', 'mode', 'MUST', 'attention', 'wire', {
    'policy-and-mode-apart': 'Policy says whether to reply, mode how much is seen: neither fixes the other',
    'one-per-event': 'Every event has one mode for each agent, chosen by the host',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'attention', 'wire', {
    immediate:
      'immediate is for urgent mentions, approvals, cancellations and safety (approvals may be composed first)',
    buffered: 'buffered is for normal DMs and direct mentions',
    notify: 'notify is for role mentions and for threads I am in',
    'tool-mailbox': 'tool_mailbox is for ambient channel traffic',
    digest: 'digest is for channel state and progress',
    silent: 'silent is for audit, analytics and state that the model does not need',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'protocol', 'wire', {
    'full-content': 'A short event that is immediate or buffered carries its full content',
    'notify-withholds': 'A short notify event carries the knock and no content',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'agent', 'wire', {
    'immediate-interrupts': 'immediate reaches the model during current work, not after it',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'tools', 'wire', {
    'mailbox-is-readable': 'A tool_mailbox event injects nothing and can be read by tool',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'host', 'wire', {
    'digest-rolls-up': 'digest events arrive rolled up, once a period',
  }),
  ...rows('Injection modes', 'mode', 'TABLE', 'store', 'wire', {
    'silent-is-persisted': 'A silent event is persisted and nothing else',
  }),
  ...rows('Injection modes', 'buffered', 'MUST', 'compose', 'wire', {
    'waits-for-typing': 'The window stays open while the author types',
    'waits-2-to-5-seconds': 'Without typing signs the window stays open 2 to 5 s',
    'merges-up-to-30-seconds': 'Fragments of one author merge for about 30 s at most',
    'pieces-example': 'The five-line example is one turn',
  }),
  ...rows('Injection modes', 'notify', 'MUST', 'protocol', 'wire', {
    'topic-is-the-hosts': 'The topic of a knock is short, made by the host, and never raw content',
  }),
  ...rows('Injection modes', 'notify', 'MUST', 'tools', 'wire', {
    'pulled-on-demand': 'The body behind a knock is read by tool, and only if the agent asks for it',
  }),

  ...rows('When to respond', 'respond', 'MUST', 'attention', 'wire', {
    'dm-from-human': 'A DM from a human is must_respond',
    'dm-from-agent': 'A DM from an agent is must_respond',
    'mentioned-by-name': 'A mention by name is must_respond',
    assigned: 'Work assigned to me is must_respond',
    'thread-question': 'A direct question in a thread I am in is must_respond',
  }),
  ...rows('When to respond', 'respond', 'MUST', 'agent', 'wire', {
    'answer-or-say-why':
      'On must_respond the model is told to answer or to say plainly that it cannot yet, and why',
  }),
  ...rows('When to stay quiet', 'quiet', 'MUST', 'attention', 'wire', {
    ambient: 'Ambient chatter not aimed at me is must_not_respond',
    'other-agent': 'A message clearly addressed to another agent is must_not_respond',
    'other-person': 'A message clearly addressed to another person is must_not_respond',
    status: 'A status update calls for no reply',
    logs: 'A log line calls for no reply',
    'social-filler': '"thanks", "got it" and "nice" call for no reply',
    'visible-is-no-reason': 'Being visible never makes an event answerable',
  }),

  ...rows('Talking to other agents', 'talk', 'MUST', 'attention', 'wire', {
    'mention-obliges': 'An agent’s mention of an agent that asks it something creates an obligation for it',
    'no-mention-obliges-nobody': 'An agent’s post without mention forces nobody to reply',
    'one-responder': 'An agent that names a whole channel does not thereby oblige the channel',
    'claimed-stay-out': 'Once one agent has claimed a request, the others that see it are must_not_respond',
  }),
  ...rows('Talking to other agents', 'talk', 'MUST', 'tools', 'wire', {
    'claim-before-reply':
      'A reply in a channel by one of several agents that can see the request needs its claim first',
  }),

  ...rows('Leaving', 'leave', 'MUST', 'attention', 'wire', {
    'thread-on-request': 'Asked to leave a thread, the agent is out of that thread',
    'channel-on-request': 'Asked to leave a channel, the agent is out of that channel',
    'stays-out': 'After leaving, talk, replies and follow-ups there call for no reply',
    'returns-on-mention': 'A mention brings the agent back',
    'acknowledged-once':
      'Being asked to leave calls for exactly one acknowledgement, and for no turn of the model',
  }),
  ...rows('Leaving', 'leave', 'MUST', 'host', 'wire', {
    'one-acknowledgement': 'What is posted on leaving is one brief, polite message and no second',
  }),
  ...rows('Leaving', 'leave', 'MUST', 'tools', 'wire', {
    'no-arguing': 'A send of the agent into a conversation it has left is refused',
  }),

  ...rows('Loops', 'loops', 'MUST', 'attention', 'wire', {
    'never-own-message': 'An agent’s own message is never an event for it',
    'no-reply-to-ack': 'Pure acknowledgement gets no reply, from a human or an agent',
    'no-reply-to-thanks': 'Pure thanks gets no reply, from a human or an agent',
    'stops-without-convergence': 'An exchange between agents that repeats without progress is stopped',
    'escalates-once': 'Stopping an exchange calls for one escalation, not one for every further message',
  }),
  ...rows('Loops', 'loops', 'MUST', 'agent', 'wire', {
    'only-something-new': 'The model is told to reply only with new information, a question or an action',
  }),
  ...rows('Loops', 'loops', 'MUST', 'host', 'wire', {
    'escalates-to-a-human': 'The escalation of a stopped exchange that needs a decision reaches a human',
  }),

  ...rows('Reactions', 'signal', 'MUST', 'host', 'wire', {
    'zero-turn': 'A reaction discharges an event without a turn and without a message',
  }),
  ...rows('Reactions', 'signal', 'MUST', 'protocol', 'wire', {
    'not-the-emoji': 'C2A carries the signal and leaves the glyph to the host',
    'agents-see-signals': 'What an agent reads and writes is the signal, whatever the platform shows',
  }),
  ...rows('Reactions', 'signal', 'MUST', 'surfaces', 'wire', {
    'mapped-to-glyphs': 'The host maps signals to the glyphs that the platform has',
  }),
  ...rows('Reactions', 'signal', 'TABLE', 'protocol', 'wire', {
    seen: 'The default glyph of seen is 👀',
    agree: 'The default glyph of agree is 👍',
    working: 'The default glyph of working is 🔧',
    queued: 'The default glyph of queued is 🕐',
    claimed: 'The default glyph of claimed is ✋',
    done: 'The default glyph of done is ✅',
    declined: 'The default glyph of declined is 🙅',
    blocked: 'The default glyph of blocked is 🚧',
    unclear: 'The default glyph of unclear is ❓',
  }),
  ...rows('Reactions', 'signal', 'SHOULD', 'agent', 'wire', {
    'prefer-a-signal': 'The model is told to react where a signal is enough',
  }),
  ...rows('Reactions', 'signal', 'MUST', 'attention', 'wire', {
    'on-own-message': 'A reaction on an agent’s own message comes back to that agent as a signal',
    'agree-proceeds': 'agree on my message means proceed',
    'declined-revises': 'declined on my message means revise',
    'done-is-handled': 'done on my message means already handled',
  }),

  ...rows('The event', 'event', 'TABLE', 'protocol', 'wire', {
    shape:
      'The short event has eventId, conversation, author, addressedToMe, policy and content; the example parses',
    'conversation-kind':
      'The short event’s conversation.kind is dm, channel or thread, whatever kind the host has',
    'addressed-to-me': 'addressedToMe is true exactly when the event is to_me (DM, resolved mention)',
    'content-text': 'content is the text of the message',
  }),
  ...rows('The event', 'event', 'MUST', 'attention', 'wire', {
    'addressed-leads': 'The host sets the policy, and whether I am addressed is its main input',
  }),

  ...rows('Edits and fragments', 'edits', 'MUST', 'compose', 'wire', {
    'before-response': 'An edit before the response is what the turn shows',
    'fragments-merge': 'Several fragments of a person become one turn',
  }),
  ...rows('Edits and fragments', 'edits', 'MAY', 'attention', 'wire', {
    'after-response': 'An edit after the response may become a new event marked as an edit',
  }),
  ...rows('Edits and fragments', 'edits', 'MUST', 'attention', 'wire', {
    'deleted-before-response': 'A message deleted before the response leaves nothing pending',
  }),
  ...rows('Edits and fragments', 'edits', 'MAY', 'agent', 'wire', {
    'fragment-while-thinking':
      'A fragment during thinking, before anything was sent, may restart the turn merged',
  }),

  ...rows('Security', 'security', 'MUST', 'agent', 'wire', {
    'never-instructions': 'Quoted chat is never treated as system or developer instructions',
    'not-from-agents-either': 'That holds too when another agent is the one who sends it',
  }),
  ...rows('Security', 'security', 'MUST', 'security', 'wire', {
    'content-untrusted': 'All chat content is untrusted, at every entrance',
  }),
  ...rows('Security', 'security', 'MUST', 'protocol', 'wire', {
    'metadata-apart': 'Protocol metadata is kept apart from the text of the message',
  }),
];
