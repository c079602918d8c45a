// Faults in what keeps the rows of the first half of C2A draft 2026-06-02.
import type { Fault } from '../fault.ts';

export const EVENT_FAULTS: readonly Fault[] = [
  {
    row: 'C2A-06-02/initialize/negotiated-version',
    file: 'src/protocol/initialize.ts',
    from: 'if (protocolVersion === undefined) {',
    to: 'if (protocolVersion === host.versions[0]) {',
  },
  {
    row: 'C2A-06-02/initialize/negotiated-capabilities',
    file: 'src/protocol/capabilities.ts',
    from: 'host[key] === true && declared[key] === true',
    to: 'host[key] === true || declared[key] === true',
  },
  {
    row: 'C2A-06-02/initialize/starts-the-session',
    file: 'src/host/harness/session.ts',
    from: "this.#agreement === undefined ? refused(wireError('not_initialized')) : run(params, call);",
    to: 'run(params, call);',
  },
  {
    row: 'C2A-06-02/initialize/undeclared-mode-unused',
    file: 'src/host/deliver/payload.ts',
    from: "if (row.mode === 'immediate' && !can.immediate) return 'buffered';",
    to: '',
  },
  {
    row: 'C2A-06-02/transport/retry',
    file: 'src/host/deliver/lane.ts',
    from: "if (outcome.type === 'again' && handsAgain && attempt < handAttempts) {",
    to: "if (outcome.type === 'again' && handsAgain && attempt < 1) {",
  },
  {
    row: 'C2A-06-02/envelope/attempt',
    file: 'src/host/deliver/lane.ts',
    from: 'delivery: { ...item.delivery, attempt: attempt + 1 } };',
    to: 'delivery: { ...item.delivery, attempt } };',
  },
  {
    row: 'C2A-06-02/transport/ack',
    file: 'src/host/deliver/courier.ts',
    from: "      return { type: 'accepted' };",
    to: "      return { type: 'again', why: 'lost' };",
  },
  {
    row: 'C2A-06-02/envelope/mentions-and-recipient',
    file: 'src/protocol/project.ts',
    from: "if (directedness === 'to_me') envelope.target.recipient",
    to: "if (directedness !== 'to_me') envelope.target.recipient",
  },
  {
    row: 'C2A-06-02/envelope/notify-has-no-content',
    file: 'src/protocol/project.ts',
    from: "if (mode === 'notify') envelope.knock = knockFor(delivery);",
    to: "envelope.content = contentParts(delivery); if (mode === 'notify') envelope.knock = knockFor(delivery);",
  },
  {
    row: 'C2A-06-02/buffered/waits-2-to-5-seconds',
    file: 'src/compose/options.ts',
    from: '  quietMs: 2_000,',
    to: '  quietMs: 1_000,',
  },
  {
    row: 'C2A-06-02/buffered/merges-up-to-30-seconds',
    file: 'src/compose/options.ts',
    from: '  maxWindowMs: 30_000,',
    to: '  maxWindowMs: 60_000,',
  },
  {
    row: 'C2A-06-02/buffered/waits-for-typing',
    file: 'src/compose/turn.ts',
    from: 'const typing = window.typingAt === null ? 0 :',
    to: 'const typing = window.typingAt !== null ? 0 :',
  },
  {
    row: 'C2A-06-02/buffered/same-author-only',
    file: 'src/compose/turn.ts',
    from: 'window.author === input.author &&',
    to: 'window.author !== undefined &&',
  },
  {
    row: 'C2A-06-02/buffered/injects-the-edit',
    file: 'src/host/attend/amend.ts',
    from: 'const source = fragments === undefined || replaced.has(row.source) ? edit.key : row.source;',
    to: 'const source = row.source;',
  },
  {
    row: 'C2A-06-02/matrix/direct-mention',
    file: 'src/attention/matrix.ts',
    from: "row('explicit', ME, (cell) => EXPLICIT.has(cell.rung), 'must_respond', 'buffered'),",
    to: "row('explicit', ME, (cell) => EXPLICIT.has(cell.rung), 'must_respond', 'notify'),",
  },
  {
    row: 'C2A-06-02/immediate/urgent-priority',
    file: 'src/attention/decide.ts',
    from: "return directedness === 'to_me' && INTERRUPTS.has(intent) ? 'urgent' : 'normal';",
    to: "return directedness === 'to_me' ? 'urgent' : 'normal';",
  },
  {
    row: 'C2A-06-02/silent/never-delivered',
    file: 'src/attention/matrix.ts',
    from: "row('silent_kind', NOT_ME, (cell) => cell.silentKind, 'must_not_respond', 'silent', {",
    to: "row('silent_kind', NOT_ME, (cell) => cell.silentKind, 'must_not_respond', 'tool_mailbox', {",
  },
];
