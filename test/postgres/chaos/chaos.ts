// Three hosts under load on one database while processes are killed and stopped, backends are terminated and the server
// itself is stopped at once. Then it is quiet, and judge.ts says what is wrong. Every fault is drawn from one seed.
//
// The load: people write to agents that answer over a session; others write to a role or to nobody in particular, and
// agents race for the claim over HTTP; a person writes in the web chat. Beside it the log, the stream and a tab of the web
// chat are followed. All of them reach the hosts through one balancer, which knows nothing of nodes.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { type AgentConnection, connect } from '../../../src/agent/connect.ts';
import { seededRandom } from '../../../src/runtime/random.ts';
import { PostgresServer } from '../server.ts';
import { Balancer } from './balancer.ts';
import { Caller, Weather } from './calls.ts';
import { Claims } from './claims.ts';
import { drawn, type Faults, play, SCHEMA } from './faults.ts';
import { answersSeen, type Followed, settled, wrongs } from './judge.ts';
import { HostNodes } from './nodes.ts';
import { AGENTS, answerTo, People, RACERS, ROLE } from './people.ts';
import { StreamFollower } from './stream.ts';
import { WebTab } from './tab.ts';
import { Tail } from './tail.ts';

const LIMITS =
  'awayMs: 0, offerMs: 3600000, sendsPerMinute: 100000, handAttempts: 1000, ackTimeoutMs: 2000, heartbeatMs: 1000';
const CONFIG = `agents:
${AGENTS.map((id) => `  - { id: ${id}, name: ${id} }`).join('\n')}
${RACERS.map((id) => `  - { id: ${id}, name: ${id}, roles: [${ROLE}] }`).join('\n')}
host: { limits: { ${LIMITS} } }
`;
const NODES = 3;
const WRITERS = 4;
const RACES = 2;
const CONVERSATIONS = 40;
const PAUSE_MS = 30;
const WEB_PAUSE_MS = 700;
/** Between two faults. */
const CALM_MS = 700;
/** People who wait for so many answers write no more, so that a slow machine is not buried. */
const UNANSWERED_MAX = 150;

export interface Report {
  acknowledged: number;
  answered: number;
  claims: { granted: number; refused: number; late: number };
  /** Calls without an answer, and refusals. */
  unansweredCalls: number;
  refusals: Record<string, number>;
  /** Commits whose answer was lost, and how many of them were stored. */
  lostAnswers: { all: number; stored: number };
  fenced: number;
  reconnects: { agents: number; streams: number; tab: number; tabReopened: number };
  quietMs: number;
  problems: string[];
}

export async function chaos(seed: number, faults: Faults, log: (line: string) => void): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-chaos-'));
  writeFileSync(join(folder, 'earshot.yaml'), CONFIG);
  const server = await PostgresServer.in(join(folder, 'postgres'));
  const hosts = new HostNodes(folder, `${server.url}?schema=${SCHEMA}`);
  const agents: AgentConnection[] = [];
  let balancer: Balancer | undefined;
  try {
    await hosts.start(NODES);
    balancer = await Balancer.over(() => hosts.ports(), seededRandom(seed + 1));
    return await through(balancer.url, { seed, faults, log, server, hosts, agents });
  } finally {
    hosts.killAll();
    await Promise.all(agents.map((agent) => agent.close()));
    await balancer?.close();
    await server.stop();
  }
}

interface Run {
  seed: number;
  faults: Faults;
  log: (line: string) => void;
  server: PostgresServer;
  hosts: HostNodes;
  agents: AgentConnection[];
}

async function through(url: string, run: Run): Promise<Report> {
  const { seed, faults, log, server, hosts, agents } = run;
  const { tokens } = hosts;
  const weather = new Weather();
  const callerWith = (token: string | undefined): Caller => new Caller(url, token, weather);
  const random = seededRandom(seed + 2);
  const people = new People(callerWith(tokens.surfaces['dev']), random);
  const followed: Followed = {
    people,
    claims: new Claims(people, (agent) => callerWith(tokens.agents[agent]), random),
    tail: new Tail(callerWith(tokens.operator)),
    stream: new StreamFollower(url, tokens.operator, callerWith(tokens.operator)),
    tab: new WebTab(url, Object.values(tokens.people)[0]),
  };
  const { claims, tail, stream, tab } = followed;
  let reconnects = 0;
  for (const agent of AGENTS) agents.push(answering(url, tokens.agents[agent], () => reconnects++));
  const following = [people.show(), tail.follow(), stream.follow(), tab.stay()];
  const talking = [
    ...Array.from({ length: WRITERS }, () => people.talk(CONVERSATIONS, PAUSE_MS)),
    ...Array.from({ length: RACES }, () => claims.race(CONVERSATIONS)),
    writing(people, tab),
  ];
  const pacing = pace(followed);
  const draws = seededRandom(seed);
  for (const fault of drawn(faults, draws)) {
    await rest(CALM_MS);
    log(`${fault} after ${people.acknowledged.size} acknowledged`);
    await play(fault, hosts, server, draws);
  }
  await rest(CALM_MS);
  people.quiet();
  await Promise.all([...talking, pacing]);
  const quietAt = performance.now();
  log(`quiet after ${people.acknowledged.size} acknowledged`);
  const problems = await settled(server.url, followed);
  for (const [at, agent] of agents.entries())
    if (agent.status !== 'ready') problems.push(`${AGENTS[at]} is ${agent.status}`);
  const quietMs = Math.round(performance.now() - quietAt);
  people.stopShowing();
  tail.end();
  await Promise.all([stream.end(), tab.end()]);
  await Promise.all(following);
  while (await tail.look());
  problems.push(...(await wrongs(server.url, followed)));
  await Promise.all(agents.map((agent) => agent.close()));
  const codes = await hosts.end();
  for (const [at, code] of codes.entries())
    if (code !== 0) problems.push(`a host ended with ${code}: ${hosts.nodes[at]?.said.slice(-12).join('')}`);
  problems.push(...hosts.ended.map((what) => `a host ended by itself: ${what}`));
  const lines = (what: string): number => hosts.said().split(what).length - 1;
  return {
    acknowledged: people.acknowledged.size,
    answered: answersSeen(followed).length,
    claims: { granted: claims.granted.length, refused: claims.refused, late: claims.late },
    unansweredCalls: weather.unanswered,
    refusals: Object.fromEntries(weather.refused),
    lostAnswers: { all: lines('answer to a commit was lost'), stored: lines('lost: it was stored') },
    fenced: lines('taken for dead; its sessions end'),
    reconnects: {
      agents: reconnects,
      streams: stream.opened - 1,
      tab: tab.greeted - 1,
      tabReopened: tab.reopened,
    },
    quietMs,
    problems,
  };
}

/** A person in the web chat asks, as all others do. */
async function writing(people: People, tab: WebTab): Promise<void> {
  for (let number = 1; !people.isOver; number++) {
    const agent = AGENTS[number % AGENTS.length] ?? AGENTS[0];
    await people.unhurried();
    people.acknowledged.add(await tab.say(`@${agent} web question ${number}, please.`, `web-${number}`));
    await rest(WEB_PAUSE_MS);
  }
}

/** Tells people how many answers they wait for. */
async function pace(followed: Followed): Promise<void> {
  const { people } = followed;
  while (!people.isOver) {
    people.hurry(people.acknowledged.size - new Set(answersSeen(followed)).size < UNANSWERED_MAX);
    await rest(100);
  }
  people.hurry(true);
}

function answering(url: string, token: string | undefined, lost: () => void): AgentConnection {
  const log = { debug() {}, info() {}, warn: lost, error() {} };
  const connection = connect({
    url,
    token,
    log,
    typing: false,
    tellPrompts: false,
    compose: { quietMs: 10 },
    limits: {
      reconnectBaseMs: 50,
      reconnectCapMs: 500,
      silenceMs: 3_000,
      requestMs: 3_000,
      callAttempts: 100,
      concurrentTurns: 16,
    },
  });
  return connection.onTurn((turn) => answerTo(turn.events.map(({ eventId }) => eventId)));
}
