// TypeClaw's engagement system, in the order of its text. The rows of area attention hold for the preset `typeclaw`;
// where the default preset departs from one (exchanges for credits, bounded names), ARCHITECTURE.md says why.
import { type Requirement, tableOf } from '../requirement.ts';

const rows = tableOf('TC', 'typeclaw-engagement.txt');

export const TYPECLAW: readonly Requirement[] = [
  ...rows('The four-way decision', 'decision', 'TABLE', 'attention', 'wire', {
    engage: 'engage: the message is one to reply to',
    observe: 'observe: no reply, but the message is remembered',
    denied: 'denied: the author lacks channel.respond for this agent here',
    claim: 'claim: the message is a role-claim code (ours: a pairing code), not something to answer',
  }),
  ...rows('The four-way decision', 'decision', 'MUST', 'attention', 'wire', {
    'denied-before-engagement':
      'A denied message never reaches the ladder: no credit is spent, no counter and no exchange moves',
    'claim-before-engagement': 'A claim code is handled before permission and ladder are looked at',
    'ladder-is-two-way': 'The ladder itself says only engage or observe',
  }),
  ...rows('The four-way decision', 'decision', 'MUST', 'replay', 'wire', {
    'every-inbound-is-tagged':
      'Every inbound message comes out with one of the four decisions for each agent',
  }),
  ...rows('The four-way decision', 'decision', 'MUST', 'protocol', 'shape', {
    'spelled-once': 'The four decisions are one list of the protocol that everything else uses',
  }),
  ...rows('The four-way decision', 'decision', 'MUST', 'host', 'wire', {
    published: 'The decision about every inbound is published as it is taken',
  }),
  ...rows('The four-way decision', 'decision', 'TABLE', 'console', 'wire', {
    colours: 'Inspection shows engage green, observe dim, denied red and claim magenta',
  }),

  ...rows('The engage ladder', 'ladder', 'MUST', 'attention', 'wire', {
    'first-match-wins': 'The first rule that matches decides; later ones are not looked at',
    'default-observe': 'A message that matches no rule is observed',
    'trigger-dm': 'A DM engages',
    'trigger-mention': 'A platform mention of us engages',
    'trigger-reply': 'A reply to one of our messages engages',
    'triggers-configurable': 'A trigger switched off in the configuration does not engage',
    'sticky-engages': 'A message whose author holds a live credit engages without mention',
    'sticky-one-shot':
      'The credit is consumed by the message it engages; the next one needs a fresh reply of ours',
    'sticky-window': 'A credit lives 15 minutes by default and the window can be configured',
    'sticky-expired': 'An expired credit engages nobody and cannot come back later',
    'sticky-granted-to-targets':
      'A reply of ours grants a credit to the authors it answers and to nobody else',
    'sticky-off': 'With stickiness off no credit engages',
    'sticky-content-blind': 'The credit does not look at the words: banter and a real follow-up both engage',
    'target-check-mention': 'Several humans: a credited author’s message that tags a third party is observed',
    'target-check-reply':
      'Several humans: a credited author’s reply to another human, where we have not spoken, is observed',
    'target-check-peer-name': 'Several humans: a credited author’s message that names a peer bot is observed',
    'target-check-keeps-credit':
      'A message let pass by the target check leaves the credit for the author’s next one',
    'target-check-plain-follow-up': 'Several humans: a credited author’s message aimed at nobody engages',
    'target-check-own-name': 'A message aimed at a third party that also names us engages all the same',
    'target-check-not-solo':
      'With at most one human a credit engages even when the message tags a third party',
    'alias-match': 'Our name or a configured alias in the text engages, in any case of letters',
    'alias-substring': 'The alias matches anywhere in the text, without word boundaries',
    'alias-implicit': 'The agent’s own id is an alias without being configured',
    'alias-not-suppressed': 'A message that names us engages even when it tags somebody else',
    'alias-two-agents': 'A message that names two agents engages both, each on its own alias',
    'suppressors-before-solo':
      'A suppressor that fires makes it observe where the solo-human rule would have engaged',
    'solo-human': 'A human’s message in a channel with at most one human engages without mention',
    'solo-ends-with-second-human': 'From the moment a second human posts the solo-human rule engages nobody',
  }),

  ...rows('Clearing stickiness', 'disengage', 'MUST', 'attention', 'wire', {
    'drops-every-credit': 'Disengaging drops every credit of the conversation',
    'strict-rules-remain': 'After disengaging mention, reply, DM and alias still engage',
    'one-conversation': 'Disengaging in one conversation leaves credits elsewhere alone',
    'not-a-mute': 'A reply in a later turn grants credits again',
    'same-turn': 'The reply that acknowledges, in the turn that disengaged, grants no credit',
    'next-turn-grants': 'The same-turn rule ends with its turn',
  }),
  ...rows('Clearing stickiness', 'disengage', 'MUST', 'tools', 'wire', {
    'a-tool': 'An agent can disengage by tool during its turn',
    'sends-nothing': 'Disengaging sends no message',
  }),

  ...rows('Suppressors', 'suppressors', 'MUST', 'attention', 'wire', {
    'mentions-others': 'A message that tags others and not us is not engaged by the solo-human rule',
    'mentions-us-too': 'A message that tags others and us is not suppressed',
    'reply-to-other': 'A reply to a message that is not ours, where we have not spoken, is suppressed',
    'bot-in-thread': 'Once we have sent into the thread, replies to others there are not suppressed',
    'peer-bot-named': 'A message whose text has a known peer bot’s display name is suppressed',
    'peer-names-observed': 'Peer names are those of bots that have spoken here, without configuration',
    'unseen-peer-slips':
      'The name of a bot that has never spoken here suppresses nothing; after it has spoken, it does',
    'one-message-only': 'A suppressor changes no state: the next message without it engages again',
    'triggers-unaffected': 'Triggers and aliases engage even when a suppressor would fire',
  }),

  ...rows('Peer-bot philosophy', 'peers', 'MUST', 'attention', 'wire', {
    'same-triggers': 'A peer bot’s DM, mention, reply and credit engage as a human’s do',
    'no-solo-fallback': 'A peer bot’s message is never engaged by the solo-human rule',
    'no-bot-only-knob': 'No setting treats bot authors apart from humans',
  }),

  ...rows('Membership and the human count', 'membership', 'MUST', 'attention', 'wire', {
    'speakers-baseline': 'Without a membership read the humans are those who spoke in the last 7 days',
    'fresh-complete-sees-lurkers': 'A fresh complete read counts humans who have never spoken',
    'fresh-complete-prunes': 'A fresh complete read removes speakers who have left',
    'fresh-for-60-seconds': 'A read is fresh for less than 60 s',
    'truncated-only-raises': 'A truncated read can only raise the count: the larger of the two holds',
    'stale-only-raises': 'A stale read can only raise the count: the larger of the two holds',
  }),
  ...rows('Membership and the human count', 'membership', 'MUST', 'host', 'wire', {
    'unseen-author-refreshes':
      'A post by an unseen author makes the host read the membership again for the next turn',
    'decision-never-waits': 'The current decision does not wait for that read',
  }),

  ...rows('observe: watch but remember', 'observe', 'MUST', 'host', 'wire', {
    remembered: 'Observing moves no cursor: the message stays unseen, for the agent’s next engaged turn',
    'flushed-once': 'A turn takes everything observed up to it, and the next turn none of that again',
    'at-most-20': 'Of what was observed only the newest 20 messages come into the next turn',
    broadcast: 'An observed message is broadcast with its decision',
    logged:
      'An observed message is logged with its id, so that an unanswered mention can be found from the log alone',
    'prefetch-seeds':
      'On a cold start history from the platform fills what is remembered; only that may exceed 20',
    'quote-anchor':
      'When others spoke between message and answer, the send quotes or replies natively to its message',
  }),
  ...rows('observe: watch but remember', 'observe', 'MUST', 'attention', 'wire', {
    'bot-in-thread':
      'That we have spoken in the thread is known from what was observed, also after a restart',
  }),
  ...rows('observe: watch but remember', 'observe', 'MUST', 'agent', 'wire', {
    'two-headings':
      'The prompt separates context that is not addressed to the agent from the current messages',
  }),
  ...rows('observe: watch but remember', 'observe', 'MUST', 'tools', 'wire', {
    'attachments-resolve':
      'An attachment of an observed message can still be read by its id, the newest first',
  }),

  ...rows('Peer-bot loop guard', 'loop-guard', 'MUST', 'attention', 'wire', {
    'human-resets': 'Any message of a human resets the counters and ends the notice',
    'counts-engaged-peer-turns': 'Every engaged message of a peer bot counts; observed ones do not',
    'five-since-human': 'Five engaged peer-bot turns since the last human trip the guard',
    'five-in-a-minute': 'Five engaged peer-bot turns within 60 s trip the guard, and the window slides',
    'per-conversation': 'Turns in one conversation do not count in another',
    advisory: 'A tripped guard changes no decision: it only gives the model a notice',
  }),
  ...rows('Peer-bot loop guard', 'loop-guard', 'MUST', 'agent', 'wire', {
    'notice-fenced': 'The notice is a fenced system message that says it is not from a human',
    'notice-allows-silence': 'The notice tells the model that it may stay silent',
    'notice-in-user-turn':
      'The notice stands at the end of the user turn, so that cached prefixes stay valid',
    'two-guards': 'Loops of identical tool calls have a guard of their own, per session, apart from this one',
  }),

  ...rows('Group-chat nudge', 'nudge', 'MUST', 'attention', 'wire', {
    'in-groups': 'Every engaged turn in a conversation of several humans carries the group notice',
    'not-with-one-human': 'An engaged turn with at most one human carries no group notice',
    'one-notice': 'When the loop guard speaks the group notice is left out: one notice a turn',
    'one-definition': 'Several humans means the same for the notice as for the decision of that message',
  }),
  ...rows('Group-chat nudge', 'nudge', 'MUST', 'agent', 'wire', {
    'says-when-to-speak':
      'The notice tells the model to reply only when addressed or continuing its own exchange, else to be silent',
    'in-user-turn': 'The notice is fenced and at the end of the user turn, like the loop guard’s',
  }),

  ...rows('Rules of thumb', 'rules', 'MUST', 'attention', 'fold', {
    pure: 'The decision is a pure function: same input, same output, nothing else touched',
  }),
  ...rows('Rules of thumb', 'rules', 'MUST', 'attention', 'wire', {
    'gate-content-blind': 'The gate reads structure and names, never what the words mean',
  }),
  ...rows('Rules of thumb', 'rules', 'MUST', 'replay', 'wire', {
    'silence-is-diagnosable':
      'Every observe shows up in the output with its reason, so no unanswered mention is a riddle',
  }),
];
