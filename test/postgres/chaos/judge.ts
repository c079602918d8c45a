// What must hold when it is quiet again, asked of the database, of those who followed, and of what people saw.
import { setTimeout as rest } from 'node:timers/promises';
import { type Claims, twoHolders } from './claims.ts';
import { asking } from './faults.ts';
import { answeredIn, type People } from './people.ts';
import type { StreamFollower } from './stream.ts';
import type { WebTab } from './tab.ts';
import type { Tail } from './tail.ts';

export interface Followed {
  people: People;
  claims: Claims;
  tail: Tail;
  stream: StreamFollower;
  tab: WebTab;
}

/** What is not settled by then hangs. A busy machine takes its time. */
const QUIET_MS = 300_000;

/** One entry for each answer that people saw, at the source or in the web chat. */
export function answersSeen({ people, tab }: Pick<Followed, 'people' | 'tab'>): string[] {
  return answeredIn([...people.shown.values(), ...tab.messages.map(({ text }) => text)]);
}

/** `hidden`: log rows that readers with a cursor do not see yet, because a commit is under way. */
const OPEN = `SELECT (SELECT count(*) FROM delivery WHERE open = 1)::int AS deliveries,
  (SELECT count(*) FROM outbox WHERE state IN ('queued', 'sending', 'unknown'))::int AS sends,
  (SELECT count(*) FROM log WHERE position > (SELECT earshot_horizon()))::int AS hidden`;

/** Waits until everything has ended and was shown, and no commit hides anything from whoever follows. */
export function settled(url: string, followed: Followed): Promise<string[]> {
  const { people } = followed;
  return asking(url, async (client) => {
    const until = performance.now() + QUIET_MS;
    for (;;) {
      const { rows } = await client.query<{ deliveries: number; sends: number; hidden: number }>(OPEN);
      const { deliveries = -1, sends = -1, hidden = -1 } = rows[0] ?? {};
      const answered = new Set(answersSeen(followed));
      const waiting = [...people.acknowledged].filter((id) => !answered.has(id));
      if (deliveries + sends + hidden + waiting.length === 0) return [];
      if (performance.now() > until)
        return [
          `not settled: ${deliveries} deliveries, ${sends} sends, ${hidden} rows beyond the horizon, unanswered ${waiting.length}: ${some(waiting)}`,
        ];
      await rest(200);
    }
  });
}

/** What must not be, as SQL that finds it. */
const WRONGS: Readonly<Record<string, string>> = {
  'seq with a gap or twice': `SELECT conversation AS what FROM log GROUP BY conversation
    HAVING count(*) <> max(seq) OR count(DISTINCT seq) <> count(*) OR min(seq) <> 1`,
  'positions against seq': `SELECT key AS what FROM (SELECT key, position,
    lag(position) OVER (PARTITION BY conversation ORDER BY seq) AS before FROM log) AS l WHERE before > position`,
  'an event twice': `SELECT doc::json -> 'record' -> 'event' ->> 'eventId' AS what FROM log
    GROUP BY 1 HAVING count(*) > 1`,
  'a delivery that did not end': 'SELECT key AS what FROM delivery WHERE open = 1',
};

const LOG = `SELECT key, doc::json -> 'record' -> 'event' ->> 'type' AS type,
  doc::json -> 'record' -> 'event' ->> 'platform' AS platform FROM log ORDER BY position`;

export async function wrongs(url: string, followed: Followed): Promise<string[]> {
  const { people, claims, tail, stream, tab } = followed;
  return asking(url, async (client) => {
    const found = [...claims.problems, ...stream.problems, ...tab.problems];
    for (const [what, sql] of Object.entries(WRONGS)) {
      const { rows } = await client.query<{ what: string }>(sql);
      if (rows.length > 0) found.push(`${what}: ${some(rows.map((row) => row.what))} (${rows.length})`);
    }
    const { rows } = await client.query<{ key: string; type: string; platform: string }>(LOG);
    const logged = rows.map(({ key }) => key);
    const known = new Set(logged);
    const lost = [...people.acknowledged].filter((id) => !known.has(id));
    if (lost.length > 0) found.push(`lost: ${some(lost)} (${lost.length})`);
    const others = answersSeen(followed).filter((id) => !people.acknowledged.has(id));
    if (others.length > 0) found.push(`answered what nobody asked: ${some(others)} (${others.length})`);
    const twice = repeatedIn(answersSeen(followed));
    if (twice.length > 0) found.push(`answered twice: ${some(twice)} (${twice.length})`);
    found.push(
      ...twoHolders(claims.granted, tail.rows),
      ...differs(
        'the tail',
        tail.rows.map(({ eventId }) => eventId),
        logged,
      ),
      ...differs('the stream', stream.seen, logged),
      ...differs(
        'the tab',
        tab.messages.map(({ eventId }) => eventId),
        rows.flatMap(({ key, type, platform }) =>
          type === 'message' && platform === 'earshot' ? [key] : [],
        ),
      ),
    );
    return found;
  });
}

/** Nothing missed, nothing twice, all in the order of the log. */
function differs(who: string, seen: readonly string[], logged: readonly string[]): string[] {
  const found: string[] = [];
  const all = new Set(seen);
  const missed = logged.filter((id) => !all.has(id));
  if (missed.length > 0) found.push(`${who} missed ${some(missed)} (${missed.length})`);
  const twice = repeatedIn(seen);
  if (twice.length > 0) found.push(`${who} has twice: ${some(twice)} (${twice.length})`);
  const places = new Map(logged.map((id, at) => [id, at]));
  const late = seen.filter((id, at) => (places.get(id) ?? -1) < (places.get(seen[at - 1] ?? '') ?? -1));
  if (late.length > 0) found.push(`${who} has out of order: ${some(late)} (${late.length})`);
  return found;
}

function repeatedIn(ids: readonly string[]): string[] {
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}

function some(ids: readonly string[]): string {
  return ids.slice(0, 5).join(' ');
}
