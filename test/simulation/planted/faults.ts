// Faults to plant: each makes one line of the host, the store or the SDK wrong, as a person might. The simulation must
// find every one of them by itself. A fault is put in while its file is loaded by a process of its own (plant.ts), so
// nothing of it is in the product.

export interface PlantedFault {
  name: string;
  file: string;
  /** Stands exactly once in the file. */
  from: string;
  to: string;
  /** Tried in every run of the gate, from this seed on: one that is known to find it. */
  gate?: number;
  /** The simulation does not find it within its time. This test does. */
  elsewhere?: string;
}

export const PLANTED: readonly PlantedFault[] = [
  {
    name: 'acknowledge before sync',
    gate: 1,
    file: 'src/store/group-commit.ts',
    from: '      return durable.then(\n        () => this.#succeed(changes, folded),',
    to: '      this.#succeed(changes, folded);\n      return durable.then(\n        () => undefined,',
  },
  {
    name: 'stale sweep: an offer is handled as it was when it was read',
    file: 'src/host/due/sweep-conversation.ts',
    from: "      const offer = view.row('offer', key);",
    to: '      const offer = { ...known };',
  },
  {
    name: 'stale sweep: a delivery is handled as it was when it was read',
    file: 'src/host/due/sweep-delivery.ts',
    from: "  { key, agent, conversation, state, dueFor }: Known,\n): Promise<void> {\n  const mayGiveUp = state !== 'held' && dueFor === 'hand';\n  return deps.context.apply({\n    states: [agentStateKey(agent), ...(mayGiveUp ? [conversation] : [])],\n    rows: [['delivery', key]],\n    run(view) {\n      const row = view.row('delivery', key);",
    to: "  known: DeliveryRow,\n): Promise<void> {\n  const { key, agent, conversation, state, dueFor } = known;\n  const mayGiveUp = state !== 'held' && dueFor === 'hand';\n  return deps.context.apply({\n    states: [agentStateKey(agent), ...(mayGiveUp ? [conversation] : [])],\n    rows: [['delivery', key]],\n    run(view) {\n      const row = known as DeliveryRow | undefined;",
  },
  {
    name: 'dedupe forgotten: a repeated event is a new one',
    gate: 8,
    file: 'src/host/attend/scoped-event.ts',
    from: '  const repeats = known !== undefined && isRepeat(known, event, conversation, idGiver);',
    to: '  const repeats = false as boolean;',
  },
  {
    name: 'knock with content',
    gate: 1,
    file: 'src/protocol/project.ts',
    from: "if (mode === 'notify') envelope.knock = knockFor(delivery);",
    to: "envelope.content = contentParts(delivery); if (mode === 'notify') envelope.knock = knockFor(delivery);",
  },
  {
    name: 'retry with a new key',
    gate: 128,
    file: 'src/host/outbox/on-platform.ts',
    from: 'idempotencyKey: partKey(row.key, number),',
    to: 'idempotencyKey: partKey(row.key, number) + (row.attempt > 1 ? `-${row.attempt}` : ""),',
  },
  {
    name: 'timer lost on restart',
    gate: 26,
    file: 'src/host/due/sweep.ts',
    from: '      stopped = false;\n      startRound();',
    to: '      stopped = false;',
  },
  {
    name: 'claim without exclusion',
    file: 'src/attention/claims.ts',
    from: "  if (foreign !== undefined) return refused(state, 'held', foreign);",
    to: '',
  },
  {
    name: 'claims never end',
    file: 'src/attention/claims.ts',
    from: '    until: Math.max(held?.until ?? 0, at + request.ttlMs),',
    to: '    until: Math.max(held?.until ?? 0, at + request.ttlMs * 1_000),',
  },
  {
    name: 'an offer never goes on',
    file: 'src/host/delivery/offers.ts',
    from: '  return passOn(view, offer, offerMs);',
    to: '  return restOffer(offer, view.now + 1_000_000_000);',
  },
  {
    name: 'second answer after a refused post',
    elsewhere: 'test/host/one-answer.test.ts',
    file: 'src/host/send/accept-send.ts',
    from: "  return licence.answers ? countAnswer(view, delivery, true) : settle(delivery, 'responded', null, view.now);",
    to: '  return licence.answers && false ? countAnswer(view, delivery, true) : noChange();',
  },
  {
    name: 'the clock is trusted: what is due is compared with a clock that may go back',
    file: 'src/host/due/sweep-delivery.ts',
    from: 'row.dueAt !== null && row.dueAt <= view.now;',
    to: 'row.dueAt !== null && row.dueAt + 3_600_000 <= view.now;',
  },
  {
    name: 'sending is not durable before the call',
    gate: 2,
    file: 'src/host/send/post.ts',
    from: "  const sending = await updateAsRead(deps, row, 'sending', (now) => ({",
    to: "  const sending = row.attempt === 0 ? { ...row, state: 'sending' as const, attempt: 1, ...(isCutNow && { body: cut.body }) } : await updateAsRead(deps, row, 'sending', (now) => ({",
  },
  {
    name: 'the platform is not asked after a crash',
    file: 'src/host/send/post.ts',
    from: "  const crashed = row.state === 'sending' || row.state === 'unknown';",
    to: '  const crashed = false as boolean;',
  },
  {
    name: 'an unknown outcome is posted again at once',
    file: 'src/host/send/post-outcome.ts',
    from: "      return update(deps, row, 'unknown', { attempt: row.attempt, error: outcome.error, dueAt });",
    to: "      return update(deps, row, 'queued', { attempt: row.attempt, error: outcome.error, dueAt });",
  },
  {
    name: 'a lost answer is never looked at again',
    file: 'src/host/send/post-outcome.ts',
    from: "      return update(deps, row, 'unknown', { attempt: row.attempt, error: outcome.error, dueAt });",
    to: "      return update(deps, row, 'unknown', { attempt: row.attempt, error: outcome.error, dueAt: dueAt * 0 || null });",
  },
  {
    name: 'busy platforms are never asked again',
    file: 'src/host/send/post-outcome.ts',
    from: '  const dueAt = deps.context.clock.now() + waitMs;',
    to: '  const dueAt = deps.context.clock.now() + waitMs + 1e9;',
  },
  {
    name: 'later messages overtake one that waits',
    file: 'src/host/send/post.ts',
    from: '    const first = await unresolvedBefore(store, row);',
    to: '    const first = undefined as OutboxRow | undefined; void unresolvedBefore;',
  },
  {
    name: 'a post that ends leaves its key under way',
    file: 'src/host/send/post.ts',
    from: '        posts.end(key);\n        if (chains.get(conversation) === next) chains.delete(conversation);',
    to: '        if (chains.get(conversation) === next) chains.delete(conversation);',
  },
  {
    name: 'a session reads no backlog',
    file: 'src/host/deliver/courier.ts',
    from: '  await readBacklog(context, backlog, holding);\n  if',
    to: '  backlog.more = false; void readBacklog; void holding;\n  if',
  },
  {
    name: 'what an earlier session accepted is not handed again',
    file: 'src/host/deliver/backlog.ts',
    from: "  if (holding.has(row.eventId) || (row.state !== 'queued' && !redelivers)) return;",
    to: "  if (holding.has(row.eventId) || row.state !== 'queued' || !redelivers) return;",
  },
  {
    name: 'no acknowledgement, no second hand-over',
    file: 'src/host/deliver/lane.ts',
    from: "if (outcome.type === 'again' && handsAgain && attempt < handAttempts) {",
    to: "if (outcome.type === 'again' && handsAgain && attempt < 1) {",
  },
  {
    name: 'a conversation rests for ever after a back-off',
    file: 'src/host/deliver/lane.ts',
    from: '      this.#resting.delete(conversation);\n      this.#pump();',
    to: '      this.#pump();',
  },
  {
    name: 'acknowledgements are not written',
    file: 'src/host/deliver/lane.ts',
    from: '    else if (count === 1) queueMicrotask(write); // after all the answers that have arrived already',
    to: '',
  },
  {
    name: 'an older session is not fenced',
    file: 'src/host/deliver/courier.ts',
    from: "    endConnection(state, older);\n    older.link.close('fenced');",
    to: '    endConnection(state, older);',
  },
  {
    name: 'an ended turn is not fenced',
    file: 'src/host/turn/turns.ts',
    from: 'writeAgentRecord(agent, withTurn(after, { ...turn, ended: true }))',
    to: 'writeAgentRecord(agent, withTurn(after, { ...turn, ended: false }))',
  },
  {
    name: 'a cancelled turn loses its events',
    file: 'src/host/turn/turns.ts',
    from: "  if (outcome === 'cancelled') return leaveTurn(row);",
    to: "  if (outcome === 'cancelled') return settle(row, 'ignored', null, now);",
  },
  {
    name: 'a failed turn is forgotten',
    file: 'src/host/deliver/failed-turn.ts',
    from: "  return followUp(row, { kind: 'retry', now, detail, heldUntil: retryAt });",
    to: "  return followUp(row, { kind: 'retry', now, detail, heldUntil: retryAt + 1e9 });",
  },
  {
    name: 'a missed deadline asks nobody',
    file: 'src/host/due/sweep-delivery.ts',
    from: '      return missedDeadline(context, view, row, deps.focusUntil(row.agent));',
    to: '      return missedDeadline === undefined ? noChange() : revise(row, { dueAt: null });',
  },
  {
    name: 'what was put off never comes back',
    file: 'src/host/due/sweep-delivery.ts',
    from: '      return lapsed(context, view, row);',
    to: '      return lapsed === undefined ? noChange() : revise(row, { dueAt: null });',
  },
  {
    name: 'held deliveries are not released',
    file: 'src/host/due/sweep-delivery.ts',
    from: "  if (row.state === 'held') return releaseHeld(row, due);",
    to: "  if (row.state === 'held') return revise(row, { dueAt: now + 1e9 }); void releaseHeld;",
  },
  {
    name: 'due offers are not looked at',
    file: 'src/host/due/sweep.ts',
    from: 'await sweepOffer(deps.context, key);',
    to: 'void sweepOffer, void key;',
  },
  {
    name: 'due sends are not posted',
    file: 'src/host/due/sweep.ts',
    from: '    deps.poster.post(key);\n',
    to: '',
  },
  {
    name: 'the sweep sleeps until the latest time',
    file: 'src/host/due/sweep.ts',
    from: '  return Math.max(now + 1, Math.min(...times));',
    to: '  return Math.max(now + 1, Math.max(...times));',
  },
  {
    name: 'a round that failed is the last',
    file: 'src/host/due/sweep.ts',
    from: '        return context.clock.now() + RETRY_MS;',
    to: '        return undefined;',
  },
  {
    name: 'an answer that waits for agreement never lapses',
    file: 'src/host/send/post.ts',
    from: "    if (row.state === 'awaiting_approval') return isReleased ? undefined : await lapseApproval(deps, row);",
    to: "    if (row.state === 'awaiting_approval') return void lapseApproval;",
  },
  {
    name: 'an approved send is not posted',
    file: 'src/host/operator/approvals.ts',
    from: '    if (queued !== undefined) addChange(change, queueSend(queued));',
    to: "    if (queued !== undefined) change.writes.push({ table: 'outbox', row: { ...queued, dueAt: null } }); void queueSend;",
  },
  {
    name: 'the host asks for agreement without an item in the inbox',
    file: 'src/host/send/accept-send.ts',
    from: '    addChange(change, askAgreement(context, view, sent, row, reason));\n',
    to: '    void askAgreement;\n',
  },
  {
    name: 'a visible send is not logged',
    file: 'src/host/ingest/own-posts.ts',
    from: '      const { writes, news } = unit?.run(view) ?? noChange();',
    to: '      const { writes, news } = noChange(); void unit;',
  },
  {
    name: 'an echo of our own post is an event',
    file: 'src/host/ingest/ingest.ts',
    from: "    return echo.type === 'none' ? { input: await prepareSlowly(deps, event, surface) } : { echo };",
    to: '    return { input: await prepareSlowly(deps, event, surface) } as { input: CommitInput } | { echo: Exclude<Echo, { type: "none" }> };',
  },
  {
    name: 'the next part is posted under the key of the first',
    file: 'src/host/outbox/parts.ts',
    from: '`${key}#${number}`',
    to: '`${key}#2`',
  },
  {
    name: 'the state is not what the log gives',
    file: 'src/host/attend/commit-event.ts',
    from: '    attention: attended.state,\n  };',
    to: "    attention: event.type === 'reaction' ? before.attention : attended.state,\n  };",
  },
  {
    name: 'a decision uses what is not recorded',
    file: 'src/host/attend/commit-event.ts',
    from: '  const attended = attend(before.attention, record, roster);',
    to: "  const attended = attend(before.attention, { ...record, facts: { ...record.facts, authorRoles: ['owner'], budget: view.now % 5 === 0 ? [{ agent: 'lead', level: 'spent', until: view.now + 1 }] : [] } }, roster);",
  },
  {
    name: 'seq is taken from the clock of the batch',
    file: 'src/host/attend/commit-event.ts',
    from: '    seq: record.seq,\n    at: Math.max',
    to: "    seq: event.type === 'delete' ? record.seq + 1 : record.seq,\n    at: Math.max",
  },
  {
    name: 'a failed commit leaves its states in the cache',
    file: 'src/store/group-commit.ts',
    from: '      const durable = this.#options.backend.commit(changes);',
    to: '      for (const { key, value, wakeAt } of changes.states) if (value !== undefined) this.#cache.set(key, { value, wakeAt });\n      const durable = this.#options.backend.commit(changes);',
  },
  {
    name: 'news before the sync',
    file: 'src/host/kernel/change.ts',
    from: '          const { writes, news, result } = unit.run(view);\n',
    to: '          const { writes, news, result } = unit.run(view);\n          for (const item of news) bus?.publish(item);\n',
  },
  {
    name: 'an agent forgets what it holds when it connects again',
    elsewhere: 'test/agent/foreign-host.test.ts',
    file: 'src/agent/ledger.ts',
    from: 'if (known !== undefined || this.#done.has(eventId)) return',
    to: 'if (known !== undefined) return',
  },
  {
    name: 'an agent never listens for silence',
    file: 'src/agent/session.ts',
    from: '    this.#listenForSilence(peer);\n    this.#wake();',
    to: '    this.#wake();',
  },
  {
    name: 'a call is not made again on the next connection',
    file: 'src/agent/session.ts',
    from: "      if (outcome.ok || outcome.kind === 'closed' || outcome.kind === 'cancelled') continue;",
    to: "      if (outcome.ok || outcome.kind === 'closed' || outcome.kind === 'cancelled') return { ok: false, why: 'unknown', message: 'lost' };",
  },
  {
    name: 'an agent gives up after one lost connection',
    file: 'src/agent/session.ts',
    from: '    clock.after(waitMs, () => this.start());',
    to: '    if (this.#failures < 2) clock.after(waitMs, () => this.start());',
  },
  {
    name: 'a silent session is never closed by the host',
    elsewhere: 'test/host/deliver.test.ts',
    file: 'src/host/harness/session.ts',
    from: '      if (this.#missed < heartbeatsMissed) {',
    to: '      if (this.#missed < heartbeatsMissed * 1_000) {',
  },
];
