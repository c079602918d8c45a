// How one login of the Slack surface lives: it logs in with the bot token, connects where events come over Socket Mode, and
// fills what it missed meanwhile. Of several logins each does that for itself.
import type { Clock } from '../../runtime/clock.ts';
import type { Secret } from '../secret.ts';
import { type Ended, type LoggedIn, type Run, type Session, startSession } from '../session.ts';
import type { Failure } from '../failure.ts';
import type { SurfaceHost } from '../surface.ts';
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
  /** Where it is kept from when on something may be missing. */
  mark: string;
  /** Other logins of the surface listen too. */
  isOneOfSeveral: boolean;
  /** Epoch ms. When this login was last heard, where others are heard too. */
  heardAt: () => number | undefined;
  /** Called after every login, with the scopes that it lacks. Answers why the surface cannot use it. */
  loggedIn: (login: Login, missing: readonly string[]) => Promise<Failure | undefined>;
  /** A try to log in is over. */
  tried: () => void;
  /** Resolves once every login of the surface has said who it is, or could not. */
  introduced: () => Promise<void>;
  /** It listens from now on. */
  listening: () => void;
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
    logIn: () => logInWith(deps).finally(deps.tried),
    listen: (current, run) => listen(deps, current, run),
    words: { missing: missingSecret, dead: deadLogin },
  });
}

async function logInWith(deps: SlackSessionDeps): Promise<LoggedIn<Current>> {
  const { botToken, makeApi, loggedIn, people, host, clock, mark, heardAt } = deps;
  const before = await standing({ host, mark, now: clock.now(), heardAt: heardAt() });
  const token = await botToken.read();
  if (token === undefined) return { ok: false, failure: undefined, secret: botToken };
  const api = makeApi(token);
  const result = await logIn(api);
  if (!result.ok) return { ...result, secret: botToken };
  const { login, missing } = result;
  await people.learn(api, [login.user]);
  const failure = await loggedIn(login, missing);
  if (failure !== undefined) return { ok: false, failure, secret: botToken };
  return {
    ok: true,
    current: { api, login, missing, before, isFilled: before.since === undefined },
    secret: botToken,
  };
}

/** Until the connection ends, the login dies, or the surface stops. */
async function listen(deps: SlackSessionDeps, current: Current, run: Run): Promise<Ended> {
  const { host, people, clock, taker, socket, mark, isOneOfSeveral } = deps;
  const { api, login, missing } = current;
  await Promise.race([deps.introduced(), run.over]);
  const opened = socket === undefined ? undefined : await open(deps, socket);
  if (opened?.ok === false) return { failure: opened.failure, secret: opened.secret };
  deps.listening();
  host.health(healthOf(missing));
  run.ready();
  const { isOver, wait } = run;
  const gap = { api, login, people, clock, taker, mark, isOneOfSeveral, isOver, wait };
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
