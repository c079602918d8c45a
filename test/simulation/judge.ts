// The oracle of a simulated run: what must hold of everything that was seen from outside and of everything that is
// stored. The part about stored rows is the host's own (src/host/check), which `earshot doctor` uses too.
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { checkRows } from '../../src/host/check/check-rows.ts';
import { conversationKeys } from '../../src/host/kernel/conversation.ts';
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
    ...inOrder(world, log, deliveries),
    ...claimsAreExclusive(world),
    ...oneAnswerEach(world, log),
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

/** Every message has a word that stands nowhere else. No knock has one. */
function knocksAreEmpty({ seen }: SimWorld): string[] {
  return seen.handed
    .filter(({ mode }) => mode === 'notify')
    .flatMap(({ agent, eventId, frame }) => {
      const { params } = JSON.parse(frame) as { params: unknown };
      const words = JSON.stringify(params).match(/look at [vw]\d|is out now|could you check [qv]|re w\d/g);
      return words === null ? [] : [`the knock of ${eventId} to ${agent} has content: ${words.join()}`];
    });
}

/** Within one connection, what is handed over for the first time comes in the order of its conversation. */
function inOrder({ seen }: SimWorld, log: readonly LogRow[], deliveries: readonly DeliveryRow[]): string[] {
  const logged = new Map(log.map((row) => [row.key, row]));
  const plain = new Map(deliveries.map((row) => [`${row.agent} ${row.eventId}`, row]));
  const last = new Map<string, { seq: number; eventId: string }>();
  const found: string[] = [];
  const handed = new Set<string>();
  for (const { agent, link, eventId, attempt } of seen.handed) {
    const row = logged.get(eventId);
    const delivery = plain.get(`${agent} ${eventId}`);
    if (row === undefined || delivery === undefined || attempt > 1 || row.type !== 'message') continue;
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

/** Of one event, a later claim has a larger token, and the one before it has ended. */
function claimsAreExclusive({ seen }: SimWorld): string[] {
  const found: string[] = [];
  for (const [about, grants] of Map.groupBy(seen.granted, (grant) => grant.about)) {
    for (const [index, grant] of grants.entries()) {
      const before = grants[index - 1];
      if (before === undefined || before.agent === grant.agent) continue;
      if (grant.token <= before.token)
        found.push(`the claim on ${about} went on with the token ${grant.token}`);
    }
  }
  return found;
}

/** An agent answers a word once, unless it was changed meanwhile. */
function oneAnswerEach({ platform, plan }: SimWorld, log: readonly LogRow[]): string[] {
  const changed = new Set(
    plan.steps.flatMap((step) => (step.type === 'edit' ? [`w${step.of}`, `w${step.id}`] : [])),
  );
  const answers = platform.shown.filter(({ text, key }) => text.startsWith('re ') && !/#[2-9]/.test(key));
  const counted = new Map<string, number>();
  for (const { agent, text } of answers) {
    const [answer = ''] = text.split(/[@.]| and /);
    for (const word of wordsIn(answer))
      counted.set(`${agent} ${word}`, (counted.get(`${agent} ${word}`) ?? 0) + 1);
  }
  void log;
  return [...counted]
    .filter(([place, count]) => count > 1 && !changed.has(place.split(' ')[1] ?? ''))
    .map(([place, count]) => `${place} was answered ${count} times`);
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

/** Liveness: whatever was begun has ended. */
export async function nothingIsOpen({ plan, people }: SimWorld, store: Store): Promise<string[]> {
  const found: string[] = [];
  if (people.waiting > 0) found.push(`${people.waiting} events were never taken`);
  for (const agent of plan.cast.agents) {
    const open = await store.scan('delivery', 'openByAgent', { eq: [agent, 1], limit: 100 });
    // A knock rides with the next turn, whenever that is.
    for (const row of open.filter(({ mode, state }) => mode !== 'notify' || state !== 'accepted'))
      found.push(
        `delivery ${row.key} is still ${row.state}, due ${row.dueAt} for ${row.dueFor} (${row.policy})`,
      );
  }
  for (const surface of ['chat', 'desk', 'earshot']) {
    for (const state of UNFINISHED) {
      const rows: OutboxRow[] = await store.scan('outbox', 'bySurface', { eq: [surface, state], limit: 20 });
      for (const row of rows)
        found.push(`send ${row.key} is still ${row.state}, due ${row.dueAt} (${row.error})`);
    }
  }
  for (const row of await store.scan('offer', 'byDue', { limit: 20 }))
    found.push(`offer ${row.key} is still open`);
  return found;
}
