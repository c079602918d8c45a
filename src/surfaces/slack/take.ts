// Takes one event from Slack, whichever way it came. Events of a channel are handed to the host in the order in which
// they came. The answer says whether Slack may forget it: only once it is stored, or never will be.
import type { GlyphReaction, SourceEvent } from '../../protocol/source-event.ts';
import type { IngestResult, SurfaceHost } from '../surface.ts';
import type { SlackApi } from './api.ts';
import { type Envelope, envelopeSchema } from './payload.ts';
import type { People } from './people.ts';
import { type Known, channelOf, peopleOf, readEvent } from './read-event.ts';

export type Taken =
  /** Slack may forget it. */
  | { type: 'done' }
  /** Slack has to send it again. */
  | { type: 'later'; why: string }
  | { type: 'malformed'; problem: string };

/** Who we are in the workspace. */
export interface Login {
  team: string;
  user: string;
  bot: string | undefined;
  /** Of the workspace: `team.slack.com`. */
  host?: string | undefined;
}

export interface TakeDeps {
  host: Pick<SurfaceHost, 'ingest' | 'ignored'>;
  people: People;
  now: () => number;
  /** Undefined: not logged in yet. */
  session: () => { api: SlackApi; login: Login } | undefined;
}

const DONE: Taken = { type: 'done' };

export interface Taker {
  take(body: unknown): Promise<Taken>;
  /** Hands events over behind whatever of the channel is on its way. */
  handOver(channel: string, events: () => Promise<Handed[]>): Promise<Taken>;
}
export type Handed = SourceEvent | GlyphReaction;

export function createTaker(deps: TakeDeps): Taker {
  const inOrder = createOrder();
  const taker: Taker = {
    async take(body) {
      const parsed = envelopeSchema.safeParse(body);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        deps.host.ignored('malformed');
        return {
          type: 'malformed',
          problem: `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`,
        };
      }
      const session = deps.session();
      if (session === undefined) return { type: 'later', why: 'not logged in to Slack yet' };
      const { data: envelope } = parsed;
      if (!isFor(envelope, session.login.team)) {
        deps.host.ignored('unknown_team');
        return DONE;
      }
      return takeEvent(deps, taker, envelope, session);
    },
    handOver: (channel, events) => inOrder(channel, async () => ingest(deps, await events())),
  };
  return taker;
}

/** An app in a shared channel hears of both workspaces; its own is among the authorizations. */
function isFor({ team_id, authorizations }: Envelope, team: string): boolean {
  return team_id === team || (authorizations ?? []).some((one) => one.team_id === team);
}

async function takeEvent(
  deps: TakeDeps,
  taker: Taker,
  envelope: Envelope,
  { api, login }: { api: SlackApi; login: Login },
): Promise<Taken> {
  let malformed: string | undefined;
  const taken = await taker.handOver(channelOf(envelope), async () => {
    await deps.people.learn(api, peopleOf(envelope));
    const read = readEvent(envelope, knownOf(login, deps.people, deps.now()));
    if (read.type === 'ignored' && read.what !== undefined) deps.host.ignored(read.what);
    if (read.type === 'malformed') malformed = read.problem;
    return read.type === 'events' ? read.events : [];
  });
  if (malformed === undefined) return taken;
  deps.host.ignored('malformed');
  return { type: 'malformed', problem: malformed };
}

export function knownOf({ team, user, bot }: Login, { nameOf }: People, now: number): Known {
  return { team, self: { user, bot }, nameOf, now };
}

async function ingest(deps: TakeDeps, events: Handed[]): Promise<Taken> {
  if (events.length === 0) return DONE;
  const results = await deps.host.ingest(events);
  for (const [index, result] of results.entries()) {
    const event = events[index];
    if (result.status !== 'refused' || event === undefined) continue;
    if (result.error.code !== 'invalid_event') return { type: 'later', why: result.error.message };
    const again = await unmarked(deps, event);
    if (again?.status !== 'accepted' && again?.status !== 'repeat') refuse(deps, event, result);
  }
  return DONE;
}

/** Our login wrote it, but not for this host: it is a message like that of any other app. */
async function unmarked({ host }: TakeDeps, event: Handed): Promise<IngestResult | undefined> {
  if (!('echoOf' in event)) return undefined;
  const { echoOf: _, ...bare } = event;
  const [result] = await host.ingest([bare]);
  return result;
}

/** What the host does not take is counted with the reason, and the stream goes on. */
function refuse({ host }: TakeDeps, event: Handed, result: IngestResult): void {
  // Most emoji stand for no signal.
  if (event.type === 'reaction') return;
  host.ignored(result.status === 'refused' ? `refused: ${result.error.message}` : 'refused');
}

/** Runs the work of one key one after the other. */
function createOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
