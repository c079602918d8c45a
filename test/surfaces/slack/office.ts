// A host with a Slack workspace behind it: the real host and server on loopback, and people who write in Slack. Events
// come over HTTP at the host's own route, signed.
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '../../../src/runtime/clock.ts';
import type { SlackOptions } from '../../../src/surfaces/slack/slack.ts';
import { START, type WireHost, type WireHostOptions, wireHost } from '../../wire/host.ts';
import { harness, type Seen, type WireHarness } from '../../wire/ways.ts';
import { slackOver } from './subject.ts';
import { BOT, type Shown, slackWorkspace, type Workspace } from './workspace.ts';

export interface Office {
  wire: WireHost;
  slack: Workspace;
  lead: WireHarness;
  builder: WireHarness;
  /** Waits until the agent has been handed what was said under this ts. */
  handed(agent: WireHarness, ts: string): Promise<Seen>;
  /** Messages of our own, as people see them. */
  posts(): Promise<Shown[]>;
  /** How the surface is. */
  health(): ReturnType<WireHost['host']['surfaces']['all']>[number];
}

export interface OfficeOptions {
  attention?: WireHostOptions['attention'];
  /** Settings of the host, for people of this workspace. */
  host?: (workspace: Workspace) => NonNullable<WireHostOptions['host']>;
  slack?: Partial<SlackOptions>;
  /** Default: the app's account is configured as the lead's. `learnt`: nobody has configured it, and all share it. */
  accounts?: 'learnt';
  /** Prepares the workspace before the host starts. */
  before?: (workspace: Workspace) => Promise<void> | void;
  /** Events over HTTP. Default: yes. */
  http?: boolean;
  /** Further surfaces in the same workspace. */
  besides?: readonly Partial<SlackOptions>[];
}

export async function office(options: OfficeOptions = {}): Promise<Office> {
  let clock: Clock = { ...systemClock, now: () => START };
  const slack = await slackWorkspace(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  await options.before?.(slack);
  const wire = await wireHost({
    agents: [
      { id: 'lead', accounts: options.accounts === 'learnt' ? [] : [BOT] },
      { id: 'builder', lead: 'lead' },
    ],
    surfaces: (given) => {
      clock = given;
      return [options.slack, ...(options.besides ?? [])].map((one) => slackOver(slack, given, one));
    },
    ...(options.host !== undefined && { host: options.host(slack) }),
    ...(options.attention !== undefined && { attention: options.attention }),
  });
  if (options.http !== false) slack.listen(`${wire.url}/v1/surfaces/slack/events`);
  const [lead, builder] = await Promise.all([
    harness(wire, 'lead', 'websocket'),
    harness(wire, 'builder', 'websocket'),
  ]);
  return {
    wire,
    slack,
    lead,
    builder,
    async handed(agent, ts) {
      await wire.pass(3_000);
      return agent.next((seen) => seen.eventId === ts, ts);
    },
    posts: async () => (await slack.shown()).filter(({ user }) => user === BOT),
    health() {
      const found = wire.host.surfaces.all().find(({ surface }) => surface === 'slack');
      if (found === undefined) throw new Error('there is no Slack');
      return found;
    },
  };
}
