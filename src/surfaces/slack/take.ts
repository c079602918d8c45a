// Takes one event from Slack, whichever way it came. Events of a channel are handed to the host in the order in which
// they came. The answer says whether Slack may forget it: only once it is stored, or never will be.
import { createHandOver, DONE, type HandOver, type Taken } from '../hand-over.ts';
import type { SurfaceHost } from '../surface.ts';
import type { SlackApi } from './api.ts';
import { type Envelope, envelopeSchema } from './payload.ts';
import type { People } from './people.ts';
import { type Known, channelOf, peopleOf, readEvent } from './read-event.ts';

/** Who we are in the workspace. */
export interface Login {
  team: string;
  user: string;
  bot: string | undefined;
  /** Of the workspace: `team.slack.com`. */
  host?: string | undefined;
  /** The name of the user. */
  name?: string | undefined;
  /** The other logins of this surface, as far as they are known: what they say is ours too. */
  others?: () => readonly Pick<Login, 'user' | 'bot'>[];
}

export interface TakeDeps {
  host: Pick<SurfaceHost, 'ingest' | 'ignored'>;
  people: People;
  now: () => number;
  /** Undefined: not logged in yet. */
  session: () => { api: SlackApi; login: Login } | undefined;
  /** Several logins hand over what they hear through one queue. Default: one of its own. */
  handOver?: HandOver;
  /** Called with the channel of everything that is for this login. */
  heard?: (channel: string) => void;
}

export interface Taker {
  take(body: unknown): Promise<Taken>;
  /** Hands events over behind whatever of the channel is on its way. */
  handOver: HandOver;
}

export function createTaker(deps: TakeDeps): Taker {
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
    handOver: deps.handOver ?? createHandOver(deps.host),
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
  deps.heard?.(channelOf(envelope));
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

export function knownOf(login: Login, { nameOf }: People, now: number): Known {
  const { team, user, bot, others } = login;
  return { team, self: { user, bot }, ...(others !== undefined && { others: others() }), nameOf, now };
}
