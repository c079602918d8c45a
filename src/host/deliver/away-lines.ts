// An agent that is not there says so: one line where somebody waits for its answer, once per outage and conversation.
// When it is back, it answers as usual. Which places were told is in the agent's record, so that a restart of the host
// tells nobody twice. Of several hosts any may say it, mostly the one that took the message in: the record says it once.
import type { Cancel } from '../../runtime/clock.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import { agentRecordIn, readAgentRecord, withAwayTold, writeAgentRecord } from '../kernel/agent-record.ts';
import { addChange, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { agentStateKey } from '../kernel/conversation.ts';
import { tellAsker } from '../outbox/trouble-lines.ts';
import { PRESENCE_LIMITS, type Presence } from './presence.ts';

/** How many open deliveries of an agent are looked at. */
const LOOKED_AT = 500;

interface AwayDeps {
  context: HostContext;
  presence: Presence;
}

interface AwayState extends AwayDeps {
  timers: Map<string, Cancel>;
  /** By agent, the conversations that were told in this outage. */
  told: Map<string, Set<string>>;
}

/** Returns the function that ends it. */
export async function startAwayLines(deps: AwayDeps): Promise<() => void> {
  const { context, presence } = deps;
  const { changes, store } = context;
  const state: AwayState = { ...deps, timers: new Map(), told: new Map() };
  const lookAtAll = (): void => {
    for (const { id } of context.attention.agents) lookLater(state, id);
  };
  for (const { id } of context.attention.agents) await readTold(state, id);
  lookAtAll();
  changes.follow('agent', async (key) => {
    for (const id of key === undefined ? context.agentIds : [key]) await readTold(state, id);
  });
  let nodes = store.nodes.count();
  const unlook = changes.onLook(() => {
    const before = nodes;
    nodes = store.nodes.count();
    // What a host that is gone was about to say, the others say.
    if (nodes < before) lookAtAll();
  });
  presence.listen((agent, sign) => {
    if (sign === 'lost') lookLater(state, agent);
    else if (state.told.delete(agent)) forget(state, agent);
  });
  const unlisten = context.bus.listen((news) => {
    if (news.type !== 'deliver' || news.delivery.policy !== 'must_respond') return;
    const { agent, conversation } = news.delivery;
    if (state.told.get(agent)?.has(conversation) === true) return;
    if (changes.isAlone) return lookLater(state, agent);
    // It may have left another host.
    presence.renew(agent).then(
      () => lookLater(state, agent),
      (error: unknown) =>
        context.log.warn({ err: error, agent }, 'whether an agent is there could not be read'),
    );
  });
  return () => {
    unlisten();
    unlook();
    for (const cancel of state.timers.values()) cancel();
  };
}

async function readTold({ context, told }: AwayState, agent: string): Promise<void> {
  const { awayTold = [] } = await readAgentRecord(context.store, agent);
  if (awayTold.length > 0) told.set(agent, new Set(awayTold));
  else told.delete(agent);
}

/** Looks when the agent counts as away, at the earliest now. Nothing while it is there. */
function lookLater(state: AwayState, agent: string): void {
  const { context, presence, timers } = state;
  const at = context.settings.limits.awayMs === 0 ? undefined : presence.awayFrom(agent);
  timers.get(agent)?.();
  timers.delete(agent);
  if (at === undefined) return;
  const look = (): void => {
    timers.delete(agent);
    tellWaiting(state, agent).catch((error: unknown) =>
      context.log.warn({ err: error, agent }, 'nobody was told that an agent is not connected'),
    );
  };
  timers.set(agent, context.clock.after(Math.max(0, at - context.clock.now()), look));
}

async function tellWaiting(state: AwayState, agent: string): Promise<void> {
  const { context, presence, told, timers } = state;
  const open = await context.store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: LOOKED_AT });
  const known = told.get(agent) ?? new Set();
  const waiting = open.filter((row) => isWaiting(row) && !known.has(row.conversation));
  if (waiting.length === 0) return;
  await presence.renew(agent);
  // It called meanwhile, or a harness that pulls is at work on something and has no reason to call.
  if (!presence.isAway(agent)) return lookLater(state, agent);
  if (presence.pulls(agent) && open.some(isTaken)) {
    const again = (): void => lookLater(state, agent);
    timers.set(agent, context.clock.after(PRESENCE_LIMITS.pullMs, again));
    return;
  }
  for (const row of waiting) {
    if (known.has(row.conversation)) continue;
    if (!(await tellPlace(context, row))) continue;
    known.add(row.conversation);
    told.set(agent, known);
  }
}

function isWaiting({ policy, state, dueFor }: DeliveryRow): boolean {
  return policy === 'must_respond' && state !== 'held' && dueFor !== 'lapse';
}

function isTaken({ state }: DeliveryRow): boolean {
  return state === 'handed' || state === 'turn_taken';
}

/** Whether the place is told now. */
function tellPlace(context: HostContext, { key, agent, conversation }: DeliveryRow): Promise<boolean> {
  return context.apply({
    states: [agentStateKey(agent), conversation, ...context.changes.names],
    rows: [['delivery', key]],
    run(view) {
      const row = view.row('delivery', key);
      const record = agentRecordIn(view, agent);
      const change = { ...noChange(), result: record.awayTold?.includes(conversation) === true };
      if (row?.open !== 1 || change.result) return change;
      const line = tellAsker(context, view, row, 'away');
      if (line.writes.length === 0) return change;
      addChange(change, line);
      change.writes.push(writeAgentRecord(agent, withAwayTold(record, conversation)));
      change.writes.push(...context.changes.tell(view, 'agent', [agent]));
      return { ...change, result: true };
    },
  });
}

/** It is back. The next outage is said again. */
function forget({ context }: AwayState, agent: string): void {
  context
    .apply({
      states: [agentStateKey(agent), ...context.changes.names],
      run(view) {
        const { awayTold, ...record } = agentRecordIn(view, agent);
        // Another host was faster.
        if (awayTold === undefined) return { ...noChange(), result: undefined };
        const writes = [writeAgentRecord(agent, record), ...context.changes.tell(view, 'agent', [agent])];
        return { writes, news: [], result: undefined };
      },
    })
    .catch((error: unknown) =>
      context.log.warn({ err: error, agent }, 'the end of an outage was not recorded'),
    );
}
