// How the Slack surface lives: it logs in with the bot token, connects where events come over Socket Mode, and fills what
// it missed meanwhile.
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import { type Ended, type LoggedIn, type Run, type Session, startSession } from '../session.ts';
import type { SurfaceAccount, SurfaceHost } from '../surface.ts';
import type { SlackApi } from './api.ts';
import { type GapDeps, type Standing, fillGaps, standing } from './gap.ts';
import { deadLogin, healthOf, logIn, missingSecret } from './login.ts';
import type { People } from './people.ts';
import { openSocket, type SocketDeps } from './socket.ts';
import type { TakeAct } from './take-act.ts';
import type { Login, Taker } from './take.ts';

export interface SlackSessionDeps {
  clock: Clock;
  host: SurfaceHost;
  people: People;
  taker: Taker;
  takeAct: TakeAct;
  botToken: Secret;
  makeApi: (token: string) => SlackApi;
  /** The agents that speak through the login. */
  agents: SurfaceAccount['agents'];
  /** Called after every login, with the scopes that it lacks. */
  loggedIn: (login: Login, missing: readonly string[]) => void;
  /** Missing: events come over HTTP. */
  socket?: Pick<SocketDeps, 'Client' | 'apiUrl'> & { appToken: Secret };
}

export interface Current {
  api: SlackApi;
  login: Login;
  /** Scopes. */
  missing: readonly string[];
  /** Where the host stood before. */
  before: Standing;
  /** Whether everything that happened since then is caught up. */
  isFilled: boolean;
}

export function startSlackSession(deps: SlackSessionDeps): Session<Current> {
  const { clock, host } = deps;
  return startSession({
    clock,
    host,
    logIn: () => logInWith(deps),
    listen: (current, run) => listen(deps, current, run),
    words: { missing: missingSecret, dead: deadLogin },
  });
}

async function logInWith(deps: SlackSessionDeps): Promise<LoggedIn<Current>> {
  const { botToken, makeApi, loggedIn, host, clock } = deps;
  const before = await standing(host, clock.now());
  const token = await botToken.read();
  if (token === undefined) return { ok: false, failure: undefined, secret: botToken };
  const api = makeApi(token);
  const result = await logIn(api);
  if (!result.ok) return { ...result, secret: botToken };
  const { login, missing } = result;
  loggedIn(login, missing);
  await introduce(deps, api, login);
  return {
    ok: true,
    current: { api, login, missing, before, isFilled: before.since === undefined },
    secret: botToken,
  };
}

/** Says who we are before the first event is taken. The name is the one that people read in a mention. */
async function introduce(
  { people, host, agents }: SlackSessionDeps,
  api: SlackApi,
  { team, user, name }: Login,
): Promise<void> {
  await people.learn(api, [user]);
  const shown = people.nameOf(user)?.name ?? name ?? user;
  host.accounts([{ id: user, workspaceId: team, agents, name: shown }]);
}

/** Until the connection ends, the login dies, or the surface stops. */
async function listen(deps: SlackSessionDeps, current: Current, run: Run): Promise<Ended> {
  const { host, people, clock, taker, socket } = deps;
  const { api, login, missing } = current;
  const opened = socket === undefined ? undefined : await open(deps, socket);
  if (opened?.ok === false) return { failure: opened.failure, secret: opened.secret };
  host.health(healthOf(missing));
  run.ready();
  const { isOver, wait } = run;
  const gap = { api, login, people, clock, taker, isOver, wait };
  const filling = fill(host, gap, current);
  await (opened === undefined ? run.over : Promise.race([run.over, opened.socket.closed]));
  opened?.socket.close();
  await filling;
  return undefined;
}

async function fill(host: SurfaceHost, gap: GapDeps, current: Current): Promise<void> {
  current.isFilled = await fillGaps(gap, host, current.before).catch(() => false);
  if (!current.isFilled) host.ignored('gap_not_filled');
}

async function open(
  { clock, taker, takeAct, host }: SlackSessionDeps,
  { appToken, ...rest }: NonNullable<SlackSessionDeps['socket']>,
) {
  const token = await appToken.read();
  if (token === undefined) return { ok: false, failure: undefined, secret: appToken } as const;
  const opened = await openSocket({
    ...rest,
    appToken: token,
    clock,
    take: (body) => taker.take(body),
    takeAct,
    ignored: (what) => host.ignored(what),
  });
  return opened.ok ? opened : { ...opened, secret: appToken };
}
