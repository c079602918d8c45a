// Faults in what keeps the rows of the second half of C2A draft 2026-06-02.
import type { Fault } from '../fault.ts';

export const RUNNING_FAULTS: readonly Fault[] = [
  {
    row: 'C2A-06-02/outbound/no-mention-to-thank',
    file: 'src/host/send/send-rules.ts',
    from: "const SAYS_NOTHING: ReadonlySet<Intent> = new Set(['thanks', 'ack', 'status']);",
    to: "const SAYS_NOTHING: ReadonlySet<Intent> = new Set(['status']);",
  },
  {
    row: 'C2A-06-02/outbound/status-is-progress',
    file: 'src/host/send/send-rules.ts',
    from: "return intent === 'status' ? { ...error, message: STATUS_INSTEAD } : error;",
    to: 'return error;',
  },
  {
    row: 'C2A-06-02/outbound/mention-obligates',
    file: 'src/host/send/send-rules.ts',
    from: "if (input.directedness === 'ambient') return wireError('mention_without_obligation');",
    to: '',
  },
  {
    row: 'C2A-06-02/outbound/one-responder',
    file: 'src/attention/injection.ts',
    from: 'if (key !== author.key && roster.byKey.has(key)) return key === agent.key;',
    to: 'if (key !== author.key && roster.byKey.has(key)) return true;',
  },
  {
    row: 'C2A-06-02/policy/must-not-respond',
    file: 'src/host/send/send-rules.ts',
    from: "return open ? undefined : wireError('must_not_respond');",
    to: 'return undefined;',
  },
  {
    row: 'C2A-06-02/outbound/respect-claims',
    file: 'src/attention/claims.ts',
    from: "if (claim.agent !== agent) return { ok: false, why: 'claimed_by_other', holder: claim.agent };",
    to: '',
  },
  {
    row: 'C2A-06-02/claims/owned-by-other',
    file: 'src/attention/claims.ts',
    from: "if (foreign !== undefined) return refused(state, 'held', foreign);",
    to: '',
  },
  {
    row: 'C2A-06-02/claims/ttl',
    file: 'src/attention/claims.ts',
    from: 'until: Math.max(held?.until ?? 0, at + request.ttlMs),',
    to: 'until: Math.max(held?.until ?? 0, at + request.ttlMs * 100),',
  },
  {
    row: 'C2A-06-02/quiet/claimed-by-other',
    file: 'src/host/send/send-rules.ts',
    from: "if (!may.ok && decided?.directedness !== 'to_me') {",
    to: 'if (!may.ok && decided === undefined) {',
  },
  {
    row: 'C2A-06-02/send/idempotency-key',
    file: 'src/protocol/act-tools.ts',
    from: '    idempotencyKey: wireKey,',
    to: "    idempotencyKey: wireKey.default('none'),",
  },
  {
    row: 'C2A-06-02/minimal/7-send',
    file: 'src/host/send/send.ts',
    from: "if (known.bodyHash !== bodyHash) return refusedWith(wireError('duplicate_key_other_body'));",
    to: '',
  },
  {
    row: 'C2A-06-02/model-retry/no-different-answer',
    file: 'src/host/turn/turns.ts',
    from: "if (turn.sends > 0 || row.sends > 0) return settle(row, 'responded', null, now);",
    to: '',
  },
  {
    row: 'C2A-06-02/quiet/silence-is-valid',
    file: 'src/host/turn/turns.ts',
    from: "if (row.policy !== 'must_respond') return settle(row, 'ignored', null, now);",
    to: '',
  },
  {
    row: 'C2A-06-02/outbound-retry/transient-failures',
    file: 'src/host/send/post.ts',
    from: 'return retry(deps, row, outcome.afterMs ?? backoff(), outcome.error);',
    to: 'return fail(deps, row, outcome.error);',
  },
  {
    row: 'C2A-06-02/disposition/must-not-respond-ends',
    file: 'src/host/deliver/lane.ts',
    from: "return row.policy === 'must_not_respond'",
    to: "return row.policy === 'ack_only'",
  },
];
