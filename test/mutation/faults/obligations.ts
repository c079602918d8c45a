// Faults in what keeps the rows of the obligations extension.
import type { Fault } from '../fault.ts';

export const OBLIGATION_FAULTS: readonly Fault[] = [
  {
    row: 'OBL/0/negotiated-version',
    file: 'src/protocol/initialize.ts',
    from: "'2026-06-02': 'when_asked',",
    to: "'2026-06-02': 'unless_refused',",
  },
  {
    row: 'OBL/1/queue-order',
    file: 'src/attention/obligation-queries.ts',
    from: 'return rank || a.createdAt - b.createdAt ||',
    to: 'return a.createdAt - b.createdAt || rank ||',
  },
  {
    row: 'OBL/1/one-responder',
    file: 'src/host/send/send-rules.ts',
    from: 'return owes && (!hasDebtor || agents.size > 1)',
    to: 'return owes && !hasDebtor',
  },
  {
    row: 'OBL/1/created-at-from-log',
    file: 'src/attention/obligations.ts',
    from: 'createdAt: Math.min(instantMs(event.at), record.at),\n    blocks',
    to: 'createdAt: record.at,\n    blocks',
  },
  {
    row: 'OBL/3/discharge-names-recipient',
    file: 'src/attention/obligation-discharge.ts',
    from: 'if (reaction.recipient !== obligation.recipient) return false;',
    to: 'if (reaction.recipient === null) return false;',
  },
  {
    row: 'OBL/3/no-recipient-no-discharge',
    file: 'src/attention/obligation-discharge.ts',
    from: 'if (reaction.recipient !== obligation.recipient) return false;',
    to: 'if (reaction.recipient !== null && reaction.recipient !== obligation.recipient) return false;',
  },
  {
    row: 'OBL/3/nobody-else-discharges',
    file: 'src/attention/obligation-discharge.ts',
    from: 'if (!human && !answersFor(draft, actor, obligation)) return false;',
    to: 'if (!human && actor === obligation.author) return false;',
  },
  {
    row: 'OBL/4/extends-once',
    file: 'src/attention/obligation-signals.ts',
    from: 'if (obligation.extended || obligation.dueAt === null) return;',
    to: 'if (obligation.dueAt === null) return;',
  },
  {
    row: 'OBL/4/done-is-evidence',
    file: 'src/attention/obligation-signals.ts',
    from: 'return put(draft, { ...obligation, doneAt: obligation.doneAt ?? draft.at });',
    to: 'return put(draft, { ...obligation, doneAt: draft.at, dueAt: null });',
  },
  {
    row: 'OBL/4/unclear-pauses',
    file: 'src/attention/obligation-signals.ts',
    from: 'put(draft, { ...question, paused: true, dueAt: null, reciprocal: opened.id });',
    to: 'put(draft, { ...question, paused: true, reciprocal: opened.id });',
  },
  {
    row: 'OBL/5/flat-interval',
    file: 'src/attention/obligation-ladder.ts',
    from: 'const next = { ...obligation, attempt, returned, dueAt: draft.at + interval };',
    to: 'const next = { ...obligation, attempt, returned, dueAt: draft.at + interval * 2 };',
  },
  {
    row: 'OBL/5/escalates-after-three',
    file: 'src/attention/obligation-ladder.ts',
    from: 'if (obligation.attempt >= spent) escalate',
    to: 'if (obligation.attempt > spent) escalate',
  },
  {
    row: 'OBL/5/to-the-coordinator',
    file: 'src/attention/obligation-ladder.ts',
    from: 'let candidate = directory.coordinatorOf(obligation.recipient);',
    to: 'let candidate = directory.coordinatorOf(obligation.author);',
  },
  {
    row: 'OBL/5/escalations-merge',
    file: 'src/attention/obligation-ladder.ts',
    from: 'o.tier === below.tier + 1 &&',
    to: 'o.tier === below.tier &&',
  },
  {
    row: 'OBL/5/human-rung-is-terminal',
    file: 'src/attention/obligation-ladder.ts',
    from: "return obligation.rung === 'human' ? null : draft.at",
    to: 'return draft.at',
  },
  {
    row: 'OBL/5/merged-discharge-stays-above',
    file: 'src/attention/obligation-discharge.ts',
    from: "else resume(draft, below, 'escalation_closed');",
    to: "else discharge(draft, below, by, 'reaction');",
  },
  {
    row: 'OBL/7/gap-returns-once',
    file: 'src/attention/obligation-ladder.ts',
    from: 'Math.min(1 + Math.floor(lateMs / interval), spent - obligation.attempt)',
    to: 'Math.min(1, spent - obligation.attempt)',
  },
  {
    row: 'OBL/7/no-missed-returns',
    file: 'src/attention/obligation-ladder.ts',
    from: 'dueAt: draft.at + interval };',
    to: 'dueAt: (obligation.dueAt ?? draft.at) + interval };',
  },
  {
    row: 'OBL/7/other-delete-keeps',
    file: 'src/attention/obligations.ts',
    from: "if (obligation.author === actor) discharge(draft, obligation, actor, 'deleted');",
    to: "discharge(draft, obligation, actor, 'deleted');",
  },
  {
    row: 'OBL/7/early-reaction-held',
    file: 'src/attention/obligations.ts',
    from: 'applyReaction(draft, { ...earlier.reaction, targetEventId: eventId });',
    to: 'continue;',
  },
  {
    row: 'OBL/9/what-i-block',
    file: 'src/attention/obligation-queries.ts',
    from: 'for (const id of obligation.items) visit(byId.get(id));',
    to: '',
  },
];
