// What a run tells the host and asks of it: that it started and with what, what it took in meanwhile, what was said
// before, how it ended. Every call is idempotent and repeated until it is answered, so the host's view is right even
// after a lost connection.
import { estimatedUsage } from '../protocol/turn-report.ts';
import type { TurnUsage } from '../protocol/usage.ts';
import type { AgentDeps } from './agent-deps.ts';
import type { SeenEvent, TurnEvent } from './event.ts';
import type { Held } from './ledger.ts';
import type { Participants } from './names.ts';
import { integer, readIds, readListed, readParticipants, readSeen, record } from './read-event.ts';
import type { Ending, RunDeps, Nested, Run } from './run.ts';
import { readOutcome } from './tools.ts';

/** What the host tells a turn that begins. */
export interface Started {
  seen: SeenEvent[];
  participants: Participants;
  /** People see the answer grow. */
  streams: boolean;
}

/** Undefined when the host refused. Releases the events that must not be answered any more. */
export async function tellStarted(
  deps: RunDeps,
  turnId: string,
  taken: readonly Held[],
): Promise<Started | undefined> {
  const { telling, signal } = deps.run;
  const told = callStarted(deps, turnId, taken, signal);
  telling.add(told);
  try {
    return await told;
  } finally {
    telling.delete(told);
  }
}

async function callStarted(
  { shared, run }: RunDeps,
  turnId: string,
  taken: readonly Held[],
  signal?: AbortSignal,
): Promise<Started | undefined> {
  const eventIds = taken.map(({ event }) => event.eventId);
  const attempt = Math.max(1, ...taken.map(({ event }) => event.attempt));
  const answer = await shared.session.call('turn/started', { turnId, eventIds, attempt }, signal);
  if (!answer.ok) {
    if (answer.why === 'cancelled') for (const id of eventIds) run.untold.add(id);
    return undefined;
  }
  const superseded = new Set(readIds(record(answer.result)['superseded']));
  for (const held of taken) if (superseded.has(held.event.eventId)) shared.ledger.release(held);
  const streams = record(answer.result)['streams'] === true;
  return { seen: readSeen(answer.result), participants: readParticipants(answer.result), streams };
}

/** Waits for the body of the claimed event. The run is about that body from then on. */
export async function claimedBody(deps: RunDeps, root: string): Promise<TurnEvent | undefined> {
  const { shared, run } = deps;
  const { promise, resolve } = Promise.withResolvers<Held | undefined>();
  run.claiming.set(root, resolve);
  const cancel = shared.clock.after(shared.limits.claimBodyMs, () => {
    run.claiming.delete(root);
    resolve(undefined);
  });
  const held = await promise;
  cancel();
  if (held === undefined) return undefined;
  const knocks = run.held;
  run.held = [held];
  run.body = held;
  for (const knock of knocks) shared.ledger.release(knock);
  await tellStarted(deps, run.id, [held]);
  return held.event;
}

/** Tells the host the new event id of what the run is about, or has taken in since. */
export function renew(deps: RunDeps, held: Held): void {
  const { run } = deps;
  const turn = [run, ...run.nested].find((one) => one.held.includes(held));
  if (turn !== undefined) void tellStarted(deps, turn.id, [held]);
}

/** Takes an urgent event or an answer into the running turn. For the host it is a turn of its own. */
export async function startNested(
  deps: RunDeps,
  taken: Held[],
  { answer, back }: Pick<Nested, 'answer' | 'back'>,
): Promise<{ events: TurnEvent[]; seen: SeenEvent[] } | undefined> {
  const { shared, run } = deps;
  const id = `${run.id}.${run.nested.length + 1}`;
  const elsewhere = taken[0]?.conversation !== run.held[0]?.conversation;
  const nested: Nested = { id, held: taken, actedBefore: run.acts, answer, elsewhere, back };
  run.nested.push(nested);
  const seen = (await tellStarted(deps, id, taken))?.seen ?? [];
  nested.held = taken.filter((held) => shared.ledger.find(held.event.eventId) === held);
  if (nested.held.length === 0) return undefined;
  return { events: nested.held.map(({ event }) => event), seen };
}

/** Tells the host how the run ended and settles the knocks it carried. Returns what was seen meanwhile. */
export async function endRun(deps: RunDeps, ending: Ending): Promise<SeenEvent[]> {
  const { shared, run, riders, news } = deps;
  const { session, ledger } = shared;
  const told = ending === 'failed' ? run.failure : undefined;
  await tellUntold(deps);
  await session.call('turn/ended', { turnId: run.id, outcome: ending, ...usageOf(run), ...told });
  for (const nested of run.nested) {
    const outcome = nestedOutcome(run, nested, ending);
    if (nested.answer && outcome === 'answered' && !isActedOn(run, nested)) await see(shared, nested);
    const why = outcome === 'failed' ? run.failure : undefined;
    await session.call('turn/ended', { turnId: nested.id, outcome, usage: NO_COST, ...why });
  }
  if (ending === 'failed') return [];
  const { shown } = run;
  remove(news, shown.news);
  remove(shared.digests, shown.digests);
  remove(riders, shown.riders);
  if (shown.riders.length === 0) return [];
  const turnId = `${run.id}.rode`;
  const eventIds = shown.riders.map(({ event }) => event.eventId);
  const rode = await session.call('turn/started', { turnId, eventIds });
  await session.call('turn/ended', { turnId, outcome: 'silent', usage: NO_COST });
  for (const rider of shown.riders) ledger.release(rider);
  return rode.ok ? readSeen(rode.result) : [];
}

/**
 * An ended turn takes nothing, so the host hears first of all that this one has taken in. Starts that were cut short are
 * told again: what the turn has said answers those events too.
 */
async function tellUntold(deps: RunDeps): Promise<void> {
  const { run } = deps;
  await Promise.all(run.telling);
  for (const { id, held } of [run, ...run.nested]) {
    const untold = held.filter(({ event }) => run.untold.has(event.eventId));
    if (untold.length > 0) await callStarted(deps, id, untold);
  }
}

/** Ends a cancelled run. The host accepts none of its sends after this. Returns how many it had committed. */
export async function fence(deps: RunDeps): Promise<number> {
  const { shared, run } = deps;
  if (!run.started || run.over) return 0;
  run.over = true;
  // A turn that has said nothing gives everything back. A message that is being sent has its key already.
  if (run.acts + run.keys > 0) await tellUntold(deps);
  else await Promise.all(run.telling);
  let sends = 0;
  const turns = [
    { id: run.id, acted: run.acts > 0 },
    ...run.nested.map((nested) => ({ id: nested.id, acted: isActedOn(run, nested) })),
  ];
  for (const { id: turnId, acted } of turns) {
    const outcome = acted ? 'answered' : 'cancelled';
    const cost = turnId === run.id ? usageOf(run) : { usage: NO_COST };
    const answer = await shared.session.call('turn/ended', { turnId, outcome, ...cost });
    sends += answer.ok ? (integer(record(answer.result)['sendsCommitted']) ?? 0) : 0;
  }
  return sends;
}

/** What a turn took in meanwhile has no cost of its own: it is in the cost of the turn. */
const NO_COST: TurnUsage = { inputTokens: 0, outputTokens: 0, source: 'reported' };

/** As the handler told it, else an estimate. */
function usageOf({ usage, chars }: Run): { usage?: TurnUsage } {
  if (usage !== undefined) return { usage };
  return chars.prompt === 0 ? {} : { usage: estimatedUsage(chars.prompt, chars.said) };
}

function nestedOutcome(run: Run, nested: Nested, ending: Ending): Ending {
  if (isActedOn(run, nested)) return 'answered';
  // If the handler broke, the answer is delivered again, as a turn of its own.
  if (nested.answer) return run.broken ? 'failed' : 'answered';
  return ending === 'answered' ? 'silent' : ending;
}

export function isActedOn(run: Run, { actedBefore, elsewhere }: Nested): boolean {
  return !elsewhere && run.acts > actedBefore;
}

/** Reacts `seen` to an answer that needed no reply, so that the person sees it was heard and the host settles it. */
async function see({ session }: AgentDeps, { id, held }: Nested): Promise<void> {
  const inReplyTo = held.at(-1)?.event.eventId;
  if (inReplyTo === undefined) return;
  const args = { inReplyTo, signal: 'seen', turnId: id };
  await session.call('tools/call', { name: 'chat.react', arguments: args });
}

function remove<T>(list: T[], gone: readonly T[]): void {
  for (const item of gone) {
    const at = list.indexOf(item);
    if (at >= 0) list.splice(at, 1);
  }
}

/** The rest of the thread is a `chat.read_thread` away. */
const WINDOW_LIMITS = { events: 10, chars: 4_000, asked: 30 } as const;

/**
 * What was said before in the conversation, for models that remember nothing between turns. Empty unless the host asks
 * for it (`injection.context`).
 */
export async function threadWindow(
  shared: AgentDeps,
  events: readonly TurnEvent[],
  signal: AbortSignal,
): Promise<SeenEvent[]> {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined || !shared.threadWindow) return [];
  if (events.every(({ context }) => context !== 'thread_window')) return [];
  const params = { inReplyTo: last.eventId, limit: WINDOW_LIMITS.asked };
  const answer = await shared.session.call(
    'tools/call',
    { name: 'chat.read_thread', arguments: params },
    signal,
  );
  const outcome = answer.ok ? readOutcome(answer.result) : undefined;
  if (outcome?.ok !== true) return []; // the turn works without it
  const own = new Set(events.flatMap(({ eventId, refersTo }) => [eventId, refersTo]));
  const before = readListed(outcome.data).filter(
    ({ eventId, createdAt = 0 }) =>
      !own.has(eventId) && createdAt <= (first.createdAt ?? Number.MAX_SAFE_INTEGER),
  );
  return newest(before);
}

function newest(events: readonly SeenEvent[]): SeenEvent[] {
  const kept: SeenEvent[] = [];
  let left: number = WINDOW_LIMITS.chars;
  for (const event of events.toReversed()) {
    left -= event.text.length;
    if (left < 0 || kept.length === WINDOW_LIMITS.events) break;
    kept.unshift(event);
  }
  return kept;
}
