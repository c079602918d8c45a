// Takes one press, shortcut or command from Slack, whichever way it came, and hands it to the host. Slack waits three
// seconds. The answer is for whoever did it alone: at once where Slack takes one with the acknowledgement, else afterwards.
import type { Clock } from '../../runtime/clock.ts';
import type { SurfaceHost } from '../surface.ts';
import { within } from '../within.ts';
import { type ActReader, type ReadAct, readCommand, readInteraction } from './act-payload.ts';
import type { People } from './people.ts';
import type { LoggedInApi } from './reads.ts';
import { tellAlone } from './tell-alone.ts';

export type ActTaken =
  /** Slack may forget it. `answer`: what the person is told with that. */
  | { type: 'done'; answer?: string }
  /** Nothing was done, and the person is to try again. */
  | { type: 'later'; why: string }
  | { type: 'malformed'; problem: string };

/** How it came, and whether Slack takes an answer with the acknowledgement. */
export interface GivenAct {
  kind: 'interaction' | 'command';
  body: unknown;
  takesAnswer: boolean;
}

export interface TakeActDeps {
  host: Pick<SurfaceHost, 'act' | 'ignored'>;
  people: People;
  clock: Clock;
  apiUrl: string | undefined;
  /** Undefined: not logged in yet. */
  session: () => LoggedInApi | undefined;
}

/** Of Slack's three seconds. What takes longer is answered afterwards. */
const ANSWER_MS = 1_800;

export type TakeAct = (given: GivenAct) => Promise<ActTaken>;

export function createTakeAct(deps: TakeActDeps): TakeAct {
  return async (given) => {
    const session = deps.session();
    if (session === undefined) return { type: 'later', why: 'not logged in to Slack yet' };
    const read = await readWithName(deps, session, given);
    switch (read.type) {
      case 'act':
        return hand(deps, session, given, read);
      case 'unknown_team':
        deps.host.ignored('unknown_team');
        return { type: 'done' };
      case 'ignored':
        deps.host.ignored(read.what);
        return { type: 'done' };
      case 'malformed':
        deps.host.ignored('malformed');
        return read;
    }
  };
}

/** People are called by the name that others read, which Slack does not send along. */
async function readWithName(
  { people }: TakeActDeps,
  { api, login }: LoggedInApi,
  { kind, body }: GivenAct,
): Promise<ReadAct> {
  const reader: ActReader = { team: login.team, named: (user) => people.nameOf(user)?.name };
  const read = (): ReadAct =>
    kind === 'command' ? readCommand(body, reader) : readInteraction(body, reader);
  const first = read();
  if (first.type !== 'act' || people.nameOf(first.act.person) !== undefined) return first;
  await people.learn(api, [first.act.person]);
  return read();
}

async function hand(
  deps: TakeActDeps,
  session: LoggedInApi,
  { takesAnswer }: GivenAct,
  { act, asker }: Extract<ReadAct, { type: 'act' }>,
): Promise<ActTaken> {
  const { host, clock, apiUrl } = deps;
  const tell = async (text: string): Promise<void> => {
    if (!(await tellAlone({ api: session.api, apiUrl, clock }, asker, text))) host.ignored('answer_not_told');
  };
  const answering = host.act(act).then(({ text }) => text);
  try {
    const answer = await within(clock, ANSWER_MS, answering);
    if (answer === undefined) answering.then(tell).catch(() => host.ignored('act_failed'));
    else if (takesAnswer) return { type: 'done', answer };
    else void tell(answer);
    return { type: 'done' };
  } catch (error) {
    host.ignored('act_failed');
    return { type: 'later', why: error instanceof Error ? error.message : 'it could not be done now' };
  }
}
