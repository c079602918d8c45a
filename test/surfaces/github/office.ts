// A host with a GitHub behind it: the real host and server on loopback, people who write there, and an app whose events
// come by webhook at the host's own route, signed.
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../src/runtime/clock.ts';
import type { GithubOptions } from '../../../src/surfaces/github/github.ts';
import { START, until, type WireHost, type WireHostOptions, wireHost } from '../../wire/host.ts';
import { harness, type Seen, type WireHarness } from '../../wire/ways.ts';
import { secret } from '../receiver.ts';
import { APP, APP_ID, githubHub, type Hub, type Shown } from './hub.ts';
import { githubOver } from './subject.ts';

export interface Office {
  wire: WireHost;
  hub: Hub;
  lead: WireHarness;
  builder: WireHarness;
  /** Waits until the agent has been handed what was said under this id. */
  handed(agent: WireHarness, id: string): Promise<Seen>;
  /** Comments of our own in an issue, as people see them. */
  posts(number: number): Promise<Shown[]>;
  /** What the log has under this id. */
  logged(id: string): Promise<Record<string, unknown> | undefined>;
  /** How the surface is. */
  health(): ReturnType<WireHost['host']['surfaces']['all']>[number];
}

/** How long before the host starts GitHub is prepared. */
const BEFORE_MS = 3_600_000;

export interface OfficeOptions {
  attention?: WireHostOptions['attention'];
  github?: Partial<GithubOptions>;
  /** Default: the login is configured as the lead's. `learnt`: nobody has configured it, and all share it. */
  accounts?: 'learnt';
  /** Prepares GitHub before the host starts. */
  before?: (hub: Hub) => Promise<void> | void;
  /** Events by webhook. Default: yes. */
  webhook?: boolean;
  /** Whose login it is. Default: the app's. */
  login?: string;
}

export async function office(options: OfficeOptions = {}): Promise<Office> {
  let clock: Clock = { ...systemClock, now: () => START - BEFORE_MS };
  const hub = await githubHub(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  await options.before?.(hub);
  const login = options.login ?? APP;
  const wire = await wireHost({
    agents: [
      { id: 'lead', accounts: options.accounts === 'learnt' ? [] : [login] },
      { id: 'builder', lead: 'lead' },
    ],
    surfaces: (given) => {
      clock = given;
      const credentials = { appId: APP_ID, privateKey: secret('GITHUB_PRIVATE_KEY', hub.privateKey) };
      return [githubOver(hub, given, { agents: undefined, credentials, ...options.github })];
    },
    ...(options.attention !== undefined && { attention: options.attention }),
  });
  if (options.webhook !== false) hub.listen(`${wire.url}/v1/surfaces/github/events`);
  const [lead, builder] = await Promise.all([
    harness(wire, 'lead', 'websocket'),
    harness(wire, 'builder', 'websocket'),
  ]);
  return {
    wire,
    hub,
    lead,
    builder,
    async handed(agent, id) {
      // A look at the lists takes real time, in which the host's time must go on.
      if (options.webhook === false) {
        await until(async () => {
          if ((await wire.host.context.store.get('log', id)) !== undefined) return true;
          await wire.pass(1_000);
          return false;
        }, id);
      }
      await wire.pass(3_000);
      return agent.next((seen) => seen.eventId === id, id);
    },
    posts: async (number) => (await hub.comments(number)).filter(({ user }) => user.login === login),
    logged: async (id) => (await wire.host.context.store.get('log', id))?.record.event,
    health() {
      const found = wire.host.surfaces.all().find(({ surface }) => surface === 'github');
      if (found === undefined) throw new Error('there is no GitHub');
      return found;
    },
  };
}
