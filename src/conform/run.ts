// Plays the scenarios one after the other against one host, over one way of connecting. Each has its own sessions and
// rooms. What it leaves unsettled is settled afterwards, so that the next one starts clean.
import type { Clock } from '../runtime/clock.ts';
import type { Random } from '../runtime/random.ts';
import { TestRoom, type TestSource } from './room.ts';
import { type Bench, Broken, type Need, type OpenOptions, type Scenario } from './scenario.ts';
import { ACT } from './scenarios/act.ts';
import { CLAIM } from './scenarios/claim.ts';
import { COMPOSE } from './scenarios/compose.ts';
import { DELIVER } from './scenarios/deliver.ts';
import { NEGOTIATE } from './scenarios/negotiate.ts';
import { SESSION } from './scenarios/session.ts';
import { type HostLink, TestSession } from './session.ts';

export interface Way {
  /** `websocket`, `http` or `stdio`. */
  name: string;
  can: readonly Need[];
  connect(options: Answering): Promise<HostLink>;
}

/** How deliveries are answered, where they are pushed. */
export interface Answering {
  acks: boolean;
  /** The first one is answered with an error of this code. */
  refuseFirst?: number | undefined;
}

export interface ConformOptions {
  way: Way;
  /** Undefined when events cannot be posted to the host. Scenarios that need them are skipped. */
  source: TestSource | undefined;
  platform: string;
  workspaceId: string;
  agent: string;
  clock: Clock;
  random: Random;
  /** How long a scenario waits for anything. */
  patienceMs: number;
  only?: (scenario: Scenario) => boolean;
}

export type Verdict =
  | { id: string; title: string; outcome: 'holds' }
  | { id: string; title: string; outcome: 'skipped'; why: string }
  | { id: string; title: string; outcome: 'broken'; expected: string; got: string };

export async function* conform(options: ConformOptions): AsyncGenerator<Verdict> {
  for (const scenario of SCENARIOS) {
    if (options.only !== undefined && !options.only(scenario)) continue;
    yield await play(scenario, options);
  }
}

async function play(scenario: Scenario, options: ConformOptions): Promise<Verdict> {
  const { id, title, needs = [] } = scenario;
  const can: readonly Need[] = [
    ...options.way.can,
    ...(options.source === undefined ? [] : ['events' as const]),
  ];
  const missing = needs.find((need) => !can.includes(need));
  if (missing !== undefined) return { id, title, outcome: 'skipped', why: WHY_SKIPPED[missing] };
  const opened: TestSession[] = [];
  try {
    await scenario.run(benchFor(options, opened));
    return { id, title, outcome: 'holds' };
  } catch (error) {
    if (error instanceof Broken)
      return { id, title, outcome: 'broken', expected: error.expected, got: error.got };
    const got = error instanceof Error ? error.message : String(error);
    return { id, title, outcome: 'broken', expected: 'the scenario to run to its end', got };
  } finally {
    await opened.at(-1)?.settleAll();
    for (const session of opened) session.link.close('normal');
    await Promise.all(opened.map(({ link }) => link.closed));
  }
}

const WHY_SKIPPED: Readonly<Record<Need, string>> = {
  push: 'this way of connecting is pulled, not pushed',
  raw: 'this way of connecting carries whole messages only',
  events: 'the host was not told how to take events: pass --source-token',
};

function benchFor(options: ConformOptions, opened: TestSession[]): Bench {
  const { way, source, clock, random, agent, patienceMs, platform, workspaceId } = options;
  const dial = async (answering: Answering): Promise<TestSession> => {
    const session = new TestSession(await way.connect(answering), patienceMs, clock);
    opened.push(session);
    return session;
  };
  return {
    agent,
    dial: () => dial({ acks: true }),
    rest: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
    async open({
      version = '2026-06-02',
      acks = true,
      refuseFirst,
      capabilities = {},
      holding,
    }: OpenOptions = {}) {
      const session = await dial({ acks, refuseFirst });
      const answer = await session.request('initialize', {
        protocolVersion: version,
        clientInfo: { name: 'earshot-conform' },
        capabilities: { injection: INJECTION, ...capabilities },
        ...(holding === undefined ? {} : { holding: [...holding] }),
      });
      if (!answer.ok) throw new Broken(`initialize with ${version} to succeed`, answer);
      return session;
    },
    room() {
      if (source === undefined) throw new Error('a scenario without the need "events" opened a room');
      const id = `conform-${random.id()}`;
      return new TestRoom({ source, platform, workspaceId, id, agent, now: () => clock.now() });
    },
  };
}

const INJECTION = { immediate: true, buffered: true, notify: true, tool_mailbox: true, digest: true };

/** In the order in which they are played. */
const SCENARIOS: readonly Scenario[] = [...SESSION, ...NEGOTIATE, ...DELIVER, ...COMPOSE, ...ACT, ...CLAIM];
