// The oracle of a simulated run: what must hold of everything that was seen from outside and of everything that is
// stored. The part about stored rows is the host's own (src/host/check), which `earshot doctor` uses too.
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { conversationKeys } from '../../src/host/kernel/conversation.ts';
import { isInParts } from '../../src/host/outbox/parts.ts';
import type { Store } from '../../src/store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../src/store/tables.ts';
import { wordsIn } from './people.ts';
import type { SimWorld } from './world.ts';

const ALL = 100_000;

export async function judge(world: SimWorld): Promise<string[]> {
  const { store, seen } = world;
  if (store === undefined) return ['there is no store'];
  const log = await store.scan('log', 'byPosition', { limit: ALL });
  const conversations = await conversationKeys(store, '', ALL);
  const deliveries = (
    await Promise.all(
      world.plan.cast.agents.map((agent) => store.scan('delivery', 'byAgent', { eq: [agent], limit: ALL })),
    )
  ).flat();
  return [
    ...seen.problems,
    ...(await store.check()),
    ...(await checkRows(store)),
    ...(await checkDecisions(store, conversations, { attention: world.attention, configVersion: 'sim' })),
    ...nothingLost(world, log),
    ...nothingTwice(world),
    ...knocksAreEmpty(world),
    ...echoesAreKnown(log),
    ...endedRightly(world, deliveries),
    ...inOrder(world, log, deliveries),
    ...claimsAreExclusive(world, log),
    ...(await goneIsNotOffered(store, log)),
    ...(await oneAnswerEach(world, store)),
    ...(await shownInOrder(world, store)),
    ...probesAnswered(world),
    ...(await nothingIsOpen(world, store)),
  ];
}

/** Nothing acknowledged is lost: it is in the log, once, under the seq that was acknowledged. */
function nothingLost({ seen }: SimWorld, log: readonly LogRow[]): string[] {
  const rows = new Map(log.map((row) => [row.key, row]));
  const bySource = Map.groupBy(
    log,
    ({ key, sourceId, conversation }) => `${conversation} ${sourceId ?? key}`,
  );
  const lost = [...seen.acked].flatMap(([id, { eventId, seq }]) => {
    const row = rows.get(eventId);
    if (row === undefined) return [`${id} was acknowledged and is not in the log`];
    return row.seq === seq ? [] : [`${id} was acknowledged as ${seq} and is ${row.seq} in the log`];
  });
  const twice = [...bySource]
    .filter(([, list]) => list.length > 1)
    .map(([id]) => `${id} is in the log twice`);
  return [...lost, ...twice];
}

/** A key is visible once. */
function nothingTwice({ platform }: SimWorld): string[] {
  const keys = platform.shown.map(({ key }) => key);
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))].map(
    (key) => `${key} was shown twice`,
  );
}

/** What the platform hands back under the key of a send is that send, and no event of its own. */
function echoesAreKnown(log: readonly LogRow[]): string[] {
  return log
    .filter(({ key, sourceId }) => (sourceId ?? key).startsWith('echo0-'))
    .map(({ key }) => `the echo ${key} is in the log beside the send`);
}

/** What must be answered is not ignored, and is not given up before it was handed over as often as it may be. */
function endedRightly({ host }: SimWorld, deliveries: readonly DeliveryRow[]): string[] {
  const most = host?.context.settings.limits.handAttempts ?? 0;
  return deliveries.flatMap(({ key, policy, state, disposition, attempt, why }) => {
    // With a reason, the agent has said why: it declined, for one.
    if (policy === 'must_respond' && state === 'settled' && disposition === 'ignored' && why === null)
      return [`delivery ${key} had to be answered and was ignored`];
    if (state === 'dead_lettered' && why === 'no_acknowledgement' && attempt < most)
      return [`delivery ${key} was given up at attempt ${attempt}`];
    return [];
  });
}

/** Every message has a word that stands nowhere else. No knock has one. */
function knocksAreEmpty({ seen }: SimWorld): string[] {
  return seen.handed
    .filter(({ mode }) => mode === 'notify')
    .flatMap(({ agent, eventId, frame }) => {
      const words = frame.match(/look at [vw]\d|is out now|could you check [qv]|re w\d/g);
      return words === null ? [] : [`the knock of ${eventId} to ${agent} has content: ${words.join()}`];
    });
}

/** Within one connection, what is handed over for the first time comes in the order of its conversation. */
function inOrder(
  { seen, plan }: SimWorld,
  log: readonly LogRow[],
  deliveries: readonly DeliveryRow[],
): string[] {
  const logged = new Map(log.map((row) => [row.key, row]));
  const plain = new Map(deliveries.map((row) => [`${row.agent} ${row.eventId}`, row]));
  const last = new Map<string, { seq: number; eventId: string }>();
  const found: string[] = [];
  const handed = new Set<string>();
  for (const { agent, link, eventId, attempt } of seen.handed) {
    const row = logged.get(eventId);
    const delivery = plain.get(`${agent} ${eventId}`);
    if (row === undefined || delivery === undefined || attempt > 1 || row.type !== 'message') continue;
    // For an agent that pulls the host composes: a window stands where it began, and is named by its end.
    if (agent === plan.cast.puller) continue;
    // An offer comes when its turn has come, and so does what was held.
    if (delivery.mode === 'notify' || handed.has(`${agent} ${eventId}`)) continue;
    handed.add(`${agent} ${eventId}`);
    const place = `${agent} ${link} ${row.conversation}`;
    const before = last.get(place);
    if (before !== undefined && before.seq > row.seq)
      found.push(`${agent} got ${before.eventId} (${before.seq}) before ${eventId} (${row.seq})`);
    last.set(place, { seq: Math.max(row.seq, before?.seq ?? 0), eventId });
  }
  return found;
}

/**
 * Of one event no two agents have the same token, and a claim with a larger token ends later. It begins when the one
 * before it has ended by its time, unless that one was given up: its holder did something, or the event was changed.
 */
function claimsAreExclusive({ seen, attention }: SimWorld, log: readonly LogRow[]): string[] {
  const found: string[] = [];
  for (const [about, grants] of Map.groupBy(seen.granted, (grant) => rootOf(grant.about))) {
    const place = log.find(({ key }) => key === about)?.conversation;
    const records = log.filter(({ conversation }) => conversation === place);
    const byToken = grants.toSorted((one, other) => one.token - other.token);
    for (const [index, grant] of byToken.entries()) {
      const before = byToken[index - 1];
      if (before === undefined || before.agent === grant.agent) continue;
      if (grant.token === before.token || grant.until < before.until)
        found.push(`the claim on ${about} went on with the token ${grant.token}`);
      const began = grant.until - attention.limits.claimTtlMs;
      const isGivenUp = records.some(
        (row) => row.seq > before.token && row.seq < grant.token && mayEnd(row, before.agent, about),
      );
      if (began < before.until && !isGivenUp)
        found.push(`${grant.agent} got the claim on ${about} while ${before.agent} had it`);
    }
  }
  return found;
}

/** The event itself, of an id that is derived from its own. */
const rootOf = (about: string): string => about.split('/')[0] ?? about;

/** Whether a record may end the claim of this agent on that event. The start of a turn does not. */
function mayEnd({ record: { event } }: LogRow, agent: string, about: string): boolean {
  if (event.type === 'claim') return event.author.id === agent && event.op === 'release';
  if (event.type === 'turn') return event.author.id === agent && event.phase === 'ended';
  return event.author.id === agent || ('targetEventId' in event && event.targetEventId === about);
}

/** Nobody is told that nobody took what had been deleted before. */
async function goneIsNotOffered(store: Store, log: readonly LogRow[]): Promise<string[]> {
  const items = await store.scan('inbox', 'byOpen', { eq: [1], limit: ALL });
  return items.flatMap(({ kind, eventId, createdAt }) => {
    const asked = kind === 'offer_unclaimed' ? log.find(({ key }) => key === eventId) : undefined;
    const isGone = log.some(
      ({ conversation, seq, record: { at, event } }) =>
        asked !== undefined &&
        event.type === 'delete' &&
        event.targetEventId === eventId &&
        conversation === asked.conversation &&
        seq > asked.seq &&
        at < createdAt,
    );
    return isGone ? [`the inbox says that nobody took ${eventId}, which was deleted before`] : [];
  });
}

/** An agent answers a word once, unless it was changed meanwhile. */
async function oneAnswerEach({ platform, plan }: SimWorld, store: Store): Promise<string[]> {
  const changed = new Set(
    plan.steps.flatMap((step) => (step.type === 'edit' ? [`w${step.of}`, `w${step.id}`] : [])),
  );
  const answers = platform.shown.filter(({ text, key }) => text.startsWith('re ') && !/#[2-9]/.test(key));
  const counted = new Map<string, number>();
  for (const { agent, text, key } of answers) {
    if (await isCutOff(store, key)) continue;
    const [answer = ''] = text.split(/[@.]| and /);
    for (const word of wordsIn(answer))
      counted.set(`${agent} ${word}`, (counted.get(`${agent} ${word}`) ?? 0) + 1);
  }
  return [...counted]
    .filter(([place, count]) => count > 1 && !changed.has(place.split(' ')[1] ?? ''))
    .map(([place, count]) => `${place} was answered ${count} times`);
}

/**
 * Whether the platform refused a later part of this send. What people see then is the beginning of an answer that its
 * agent was told has failed, and that it was asked for anew.
 */
async function isCutOff(store: Store, key: string): Promise<boolean> {
  const row = await store.get('outbox', key);
  return row?.state === 'failed' && isInParts(row);
}

/** What an agent says in a room appears in the order in which it was said. What a person had to agree to comes when they do. */
async function shownInOrder({ plan, platform }: SimWorld, store: Store): Promise<string[]> {
  const found: string[] = [];
  for (const agent of plan.cast.agents) {
    for (const conversation of await conversationKeys(store, 'c/chat/', ALL)) {
      const rows = await store.scan('outbox', 'byAgentConversation', {
        eq: [agent, conversation],
        limit: ALL,
      });
      const places = new Map<string, number>();
      for (const { key, kind, position } of rows) {
        const asked = await store.get('inbox', `approval:${key}`);
        if (kind === 'message' && asked === undefined) places.set(key, position);
      }
      const shown = platform.shown.flatMap(({ key }) => places.get(key) ?? []);
      if (shown.some((place, index) => place < (shown[index - 1] ?? 0)))
        found.push(`what ${agent} said in ${conversation} was shown in another order`);
    }
  }
  return found;
}

/** What is asked once the faults are over is answered, visibly. */
function probesAnswered({ platform, probes, isProbing }: SimWorld): string[] {
  if (!isProbing) return ['the world did not settle by itself'];
  return probes.flatMap(({ agent, word, room }) => {
    const answered = platform.shown.some(
      (shown) => shown.agent === agent && shown.text.startsWith('re ') && wordsIn(shown.text).includes(word),
    );
    return answered ? [] : [`${agent} never answered ${word} in ${room}, asked after everything was healed`];
  });
}

const UNFINISHED = ['queued', 'sending', 'unknown', 'awaiting_approval'] as const;

/** Liveness: whatever was begun has ended. `most`: so many findings are enough. */
export async function nothingIsOpen(world: SimWorld, store: Store, most = Infinity): Promise<string[]> {
  const found: string[] = [];
  for await (const finding of openThings(world, store)) {
    found.push(finding);
    if (found.length >= most) break;
  }
  return found;
}

async function* openThings({ plan, people }: SimWorld, store: Store): AsyncGenerator<string> {
  if (people.waiting > 0) yield `${people.waiting} events were never taken`;
  for (const agent of plan.cast.agents) {
    const open = await store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: 100 });
    // A knock rides with the next turn, whenever that is.
    for (const row of open.filter(({ mode, state }) => mode !== 'notify' || state !== 'accepted'))
      yield `delivery ${row.key} is still ${row.state}, due ${row.dueAt} for ${row.dueFor} (${row.policy})`;
  }
  for (const surface of ['chat', 'desk', 'earshot']) {
    for (const state of UNFINISHED) {
      const rows: OutboxRow[] = await store.scan('outbox', 'bySurface', { eq: [surface, state], limit: 20 });
      for (const row of rows) yield `send ${row.key} is still ${row.state}, due ${row.dueAt} (${row.error})`;
    }
  }
  for (const row of await store.scan('offer', 'byDue', { limit: 20 })) yield `offer ${row.key} is still open`;
}
