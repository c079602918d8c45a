// The obligations extension (2026-08-11), point by point; section 0 is its head, section 11 the gaps closed openly.
// The ladder of a debt is a fold over log records and ticks, so most of it is attention's; what a model sees is not.
import { type Requirement, tableOf } from '../requirement.ts';

const rows = tableOf('OBL', 'obligations.md');

export const OBLIGATIONS: readonly Requirement[] = [
  ...rows('Obligations', '0', 'MAY', 'protocol', 'wire', {
    'negotiated-version':
      'The extension is version 2026-08-11, opted into by negotiation; other sessions see none of it',
  }),
  ...rows('Obligations', '0', 'MUST', 'console', 'wire', {
    'open-looks-open':
      'To everybody who looks, a question read but not answered differs from an answered one',
  }),

  ...rows('1', '1', 'MAY', 'protocol', 'wire', {
    'event-may-carry-it': 'An event may carry an obligation with blocks and defaultAction',
    'delegate-optional': 'The obligation may name an identity as its discharge delegate',
  }),
  ...rows('1', '1', 'TABLE', 'protocol', 'wire', {
    blocks: 'blocks is halted, degraded or none and nothing else parses',
  }),
  ...rows('1', '1', 'MUST', 'protocol', 'wire', {
    'default-action': 'defaultAction is text and required',
    'created-at': 'An event of this version has createdAt',
    recipients: 'An event of this version has recipients, a list of identities',
  }),
  ...rows('1', '1', 'MUST', 'attention', 'wire', {
    'presence-creates-debt':
      'The presence of the object opens the debt, whatever it says of how badly it blocks',
    'policy-creates-none': 'must_respond without the object opens no debt',
    'must-respond': 'An event with an obligation is must_respond for its recipient',
    'never-digest-or-silent': 'An event with an obligation is never digest or silent for its recipient',
    'created-at-from-log':
      'createdAt is that of the logged event, and nothing said later makes the debt younger',
    'queue-order': 'Open obligations are listed by blocks, then the oldest first',
  }),
  ...rows('1', '1', 'SHOULD', 'tools', 'wire', {
    'one-responder': 'A send with an obligation addresses one responder',
  }),

  ...rows('2', '2', 'MUST', 'attention', 'wire', {
    'per-event-and-recipient': 'The state of a debt is one per event and recipient',
  }),
  ...rows('2', '2', 'MUST', 'attention', 'fold', {
    'derived-from-log': 'The state follows from the log alone: folding the log again gives the same',
  }),
  ...rows('2', '2', 'MUST', 'protocol', 'shape', {
    'no-settable-field': 'No message and no method has a field that sets the state of a debt',
  }),

  ...rows('3', '3', 'MUST', 'attention', 'wire', {
    'author-discharges':
      'The author’s reaction that calls it settled and names the recipient discharges the debt',
    'delegate-discharges': 'The named delegate discharges as the author does',
    'delegate-default': 'Without a named delegate the author’s coordinator discharges',
    'nobody-else-discharges':
      'Below the human rung a reaction of anybody else, also the recipient, discharges nothing',
    'discharge-names-recipient':
      'A discharge closes the debt of the recipient it names, not that of the others',
    'no-recipient-no-discharge': 'A reaction of the author without recipient discharges nothing',
    'discharge-is-final': 'Removing the discharging reaction does not open the debt again',
    'nothing-closes-itself': 'No answer, no silence and no passing of time closes a debt',
    'nothing-expires': 'However old, an open debt stays open',
    'read-state-no-input': 'Whether anything was read never enters',
    'human-rung-discharges': 'On the last rung the human who is its recipient may discharge',
  }),

  ...rows('4', '4', 'TABLE', 'attention', 'wire', {
    'seen-changes-nothing': 'The recipient’s seen changes nothing',
    'claimed-changes-nothing': 'The recipient’s claimed changes nothing',
    'agree-changes-nothing': 'The recipient’s agree changes nothing',
    'working-extends': 'The recipient’s working extends the interval to the next return',
    'queued-extends': 'The recipient’s queued extends the interval to the next return',
    'extends-once': 'There is one extension in total for each event and recipient, of either kind',
    'done-is-evidence': 'The recipient’s done is recorded and the debt still returns',
    'declined-escalates': 'The recipient’s declined escalates at once',
    'blocked-escalates': 'The recipient’s blocked escalates at once',
    'unclear-pauses': 'The recipient’s unclear pauses the returns',
    'unclear-opens-reciprocal': 'The recipient’s unclear opens a debt of the author, for the clarification',
    'reciprocal-own-ladder': 'The author’s debt returns and escalates on a ladder of its own',
    'edit-resumes': 'A clarifying edit of the question resumes the returns',
    'new-event-resumes': 'A new obligating event on the question resumes the returns',
  }),

  ...rows('5', '5', 'MUST', 'attention', 'wire', {
    'comes-back': 'An open debt returns to its recipient after the interval',
    'flat-interval': 'All intervals of a debt are equal: no back-off',
    'mailbox-as-notify': 'tool_mailbox has the interval of notify',
    'escalates-after-three': 'After three returns it escalates instead of returning a fourth time',
    'to-the-coordinator': 'It escalates to the recipient’s coordinator',
    'else-to-a-human': 'Without a coordinator it escalates to a human',
    'never-to-a-channel': 'It never escalates to a channel',
    'escalation-obliges-one': 'An escalation is an obligating event itself, with one recipient',
    'escalations-merge': 'Escalations with the same blocked-on recipient and tier become one that lists them',
    'merged-discharge-stays-above': 'Discharging the merged escalation leaves the debts below it open',
    'human-rung-is-terminal': 'On the human rung there are no more returns',
    'human-rung-stays-open': 'On the human rung the debt stays open and listed',
  }),
  ...rows('5', '5', 'MUST', 'attention', 'fold', {
    'interval-by-mode':
      'The interval is shorter for immediate than for buffered, and shorter for that than for notify',
  }),
  ...rows('5', '5', 'MUST', 'protocol', 'wire', {
    'return-knock': 'A return is a knock with who, where, topic, age and defaultAction, and no content',
  }),
  ...rows('5', '5', 'MUST', 'agent', 'wire', {
    'return-is-injected': 'A return is put before the recipient’s model, in a turn',
  }),
  ...rows('5', '5', 'MUST', 'tools', 'wire', {
    'content-pullable': 'The content behind a return can be pulled',
  }),

  ...rows('6', '6', 'MUST', 'attention', 'wire', {
    'loops-spare-returns': 'At any level of the loop guard returns and escalations still happen',
  }),

  ...rows('7', '7', 'MUST', 'attention', 'wire', {
    'age-from-created-at': 'Age is now minus createdAt, also when the state was stored and loaded in between',
    'gap-returns-once': 'After a gap the tier is computed and there is one return',
    'no-missed-returns': 'Returns that fell into a gap are never made up for',
    'early-reaction-held': 'A reaction to an event that is not known yet takes effect when the event arrives',
    'edit-inherits': 'An edit keeps the debt of the event it edits',
    'author-delete-discharges': 'Deletion by the author discharges',
    'other-delete-keeps': 'Deletion by anybody else leaves the debt open',
  }),
  ...rows('7', '7', 'MUST', 'store', 'wire', {
    'retention-keeps-debt': 'Retention of the event leaves its debt open',
    'outlives-retention': 'Open debts are not removed by retention',
    'reactions-outlive-retention': 'The reactions to open debts are not removed by retention',
  }),

  ...rows('8', '8', 'MUST', 'protocol', 'wire', {
    'reaction-event':
      'A reaction is an event with reactionId, targetEventId, createdAt, actor, signal and optional recipient',
  }),
  ...rows('8', '8', 'MUST', 'attention', 'wire', {
    'read-by-actor': 'A reaction counts by who made it, not by whose message it is on',
    'done-not-for-everyone': 'One recipient’s done settles nothing for the other recipients',
  }),

  ...rows('9', '9', 'MUST', 'attention', 'wire', {
    'what-i-owe': 'One query of the state lists what I owe',
    'what-i-block': 'One query of the state lists what I am blocking',
  }),
  ...rows('9', '9', 'MUST', 'tools', 'wire', {
    'one-call-each': 'An agent gets either list with one tool call',
  }),

  ...rows('10', '10', 'MUST', 'host', 'wire', {
    'arm-a':
      'A, through the production path: an answer beside the point with done and seen still returns, in a turn',
    'arm-b': 'B, through the production path: discharged by author or delegate, no turn of return is taken',
    'arm-c':
      'C, through the production path: silence gives turns at t, 2t and 3t, then an escalation elsewhere',
    'arm-d': 'D, through the production path: arm A with read state set and unset is byte-identical',
    control: 'With returns switched off arms A and C fail',
  }),

  ...rows('Gaps', '11', 'MUST', 'protocol', 'wire', {
    'obligation-id': 'A debt has an id of its own',
    'edit-schema': 'Edit events have a schema',
    'delete-schema': 'Delete events have a schema',
  }),
  ...rows('Gaps', '11', 'MUST', 'attention', 'wire', {
    'escalation-closes':
      'An escalation is closed by its own discharge, or when the debt it stands for is discharged',
    'mailbox-returns-as-knock': 'A debt whose event was tool_mailbox still returns as an injected knock',
    'coordinator-is-lead':
      'The coordinator is the lead in the host’s configuration of the agent, nothing said in chat',
  }),
  ...rows('Gaps', '11', 'MUST', 'host', 'wire', {
    'drops-are-said': 'A host that drops a debt, a return or an escalation says so',
  }),
];
