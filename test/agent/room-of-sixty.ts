// A busy room through the real SDK: the host in memory, three agents that `connect` and always answer, and the prompts
// they read. Beside it naive delivery: the same SDK, but every message is a turn of every agent, with the last twenty
// messages as context, as a bot does that answers everything.
import { connect, type Turn } from '../../src/agent/index.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { memoryPair } from '../../src/transport/memory.ts';
import { createPeer, type Peer } from '../../src/transport/peer.ts';
import { AGENTS, chattyAnswer, type Echo, personIn } from '../host/busy-room.ts';
import { START, world } from './harness.ts';
import type { RoomLine } from './sixty-lines.ts';

export interface PlayedRoom {
  turns: number;
  /** Messages for an agent that were in none of its turns. */
  unheard: string[];
  /** Turns about messages that were for nobody: the next words of somebody whom the agent talked with. */
  followUps: number;
  /** Turns about anything else: an agent's message, or one that was said to somebody else. */
  others: string[];
  /** Characters of all prompts. */
  chars: number;
}

const CHARS_PER_TOKEN = 4;
export const tokensOf = ({ chars }: Pick<PlayedRoom, 'chars'>): number => Math.round(chars / CHARS_PER_TOKEN);

const STEP_MS = 1_000;
/** The compose window, and an answer. */
const ANSWERED_MS = 3_000;

export async function playThroughSdk(lines: readonly RoomLine[], echo: Echo, seed = 1): Promise<PlayedRoom> {
  const random = seededRandom(seed);
  const agents = [{ id: 'lead' }, { id: 'builder', lead: 'lead' }, { id: 'tester', lead: 'lead' }];
  const w = await world({ agents, seed });
  const taken: { agent: string; ids: string[]; chars: number; reason: string; text: string }[] = [];
  for (const agent of AGENTS) {
    w.agent(agent).onTurn((turn) => {
      const { text, prompt, events } = turn;
      const reason = events.at(-1)?.reason ?? '';
      taken.push({ agent, ids: events.map(({ eventId }) => eventId), chars: prompt.length, reason, text });
      return answerTo(turn, random, echo);
    });
  }
  await w.pass(ANSWERED_MS, STEP_MS);
  const asked: (readonly [id: string, agent: string, text: string])[] = [];
  for (const [index, { by, text, forAgent, to }] of lines.entries()) {
    const id = `m${index}`;
    const reply = to === undefined ? {} : { replyTo: { eventId: `m${to}` } };
    await w.say({ id, text, by, more: { ...personIn(text), ...reply } });
    if (forAgent !== '') asked.push([id, forAgent, text]);
    await w.pass(ANSWERED_MS + Math.floor(random.next() * 30_000), STEP_MS);
  }
  await w.pass(60_000, STEP_MS);
  await w.stop();
  if (w.problems.length > 0) throw new Error(w.problems.join('\n'));
  const wanted = new Set(asked.map(([id, agent]) => `${agent} ${id}`));
  const unasked = taken.filter(({ agent, ids }) => ids.every((id) => !wanted.has(`${agent} ${id}`)));
  const heard = (id: string, agent: string): boolean =>
    taken.some((turn) => turn.agent === agent && turn.ids.includes(id));
  return {
    turns: taken.length,
    unheard: asked.filter(([id, agent]) => !heard(id, agent)).map(([, , text]) => text),
    followUps: unasked.filter(({ reason }) => reason === 'exchange').length,
    others: unasked.filter(({ reason }) => reason !== 'exchange').map(({ text }) => text),
    chars: sum(taken.map(({ chars }) => chars)),
  };
}

function answerTo(turn: Turn, random: ReturnType<typeof seededRandom>, echo: Echo): string {
  const author = turn.events.at(-1)?.author.id ?? 'you';
  return chattyAnswer(random, echo, { agent: turn.agent, author, text: turn.text });
}

/** How many messages a bot that answers everything is shown before the newest. */
const LAST = 20;

/** Every message a turn of every agent. The answers of the agents themselves are not even counted. */
export async function playNaively(lines: readonly RoomLine[]): Promise<Pick<PlayedRoom, 'turns' | 'chars'>> {
  const clock = new VirtualClock(START);
  const events = lines.map(({ by, text }, index) => eventOf(`m${index}`, by, text, START + index * 20_000));
  const prompts: number[] = [];
  for (const agent of AGENTS) {
    let now = 0;
    const { peer, ended } = naiveHost(clock, agent, () => events.slice(Math.max(0, now - LAST), now), {
      onPrompt: (turn) => prompts.push(turn.prompt.length),
    });
    await settled(() => peer() !== undefined);
    for (now = 0; now < events.length; now++) {
      void peer()?.request('chat/deliver', deliveryOf(events[now] as RoomEvent));
      await settled(() => ended() > now);
    }
    peer()?.close('normal');
  }
  return { turns: prompts.length, chars: sum(prompts) };
}

const ok = (result: object) => () => ({ ok: true as const, result });

/** A host that delivers what it is told, and answers `turn/started` with the messages before. */
function naiveHost(
  clock: VirtualClock,
  agent: string,
  before: () => readonly RoomEvent[],
  { onPrompt }: { onPrompt: (turn: Turn) => void },
) {
  let ends = 0;
  let ready: Peer | undefined;
  const connection = connect({
    agent,
    clock,
    random: seededRandom(1),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    transport: () => {
      const [hostSide, agentSide] = memoryPair({ clock });
      const peer = createPeer(hostSide, {
        clock,
        handlers: {
          initialize: ok({ protocolVersion: '2026-06-02', agent: `agent:${agent}` }),
          'tools/list': () => {
            ready = peer;
            return { ok: true, result: { tools: [] } };
          },
          'turn/started': () => ({ ok: true, result: { seen: before() } }),
          'turn/ended': () => {
            ends += 1;
            return { ok: true, result: { sendsCommitted: 1 } };
          },
          'tools/call': ok({ content: [{ type: 'text', text: '{}' }], structuredContent: {} }),
        },
      });
      void peer.start();
      return agentSide;
    },
  });
  connection.onTurn((turn) => {
    onPrompt(turn);
    return 'ok';
  });
  return { peer: () => ready, ended: () => ends };
}

type RoomEvent = ReturnType<typeof eventOf>;

function eventOf(eventId: string, by: string, text: string, at: number) {
  return {
    eventId,
    author: { id: by, kind: 'human', displayName: by },
    createdAt: new Date(at).toISOString(),
    content: [{ type: 'text', text }],
  };
}

function deliveryOf({ eventId, author, createdAt, content }: RoomEvent) {
  return {
    eventId,
    source: { platform: 'web', workspaceId: 'w' },
    conversation: { id: 'C1', kind: 'channel' },
    author,
    target: { mentions: [], directedness: 'ambient' },
    content,
    timing: { createdAt, sequence: 1 },
    attention: { policy: 'must_respond', reason: 'everything', priority: 'normal' },
    // At once: a bot that answers everything does not wait.
    injection: { mode: 'immediate', context: 'none', role: 'user' },
    reliability: { attempt: 1, idempotencyKey: eventId },
  };
}

const TRIES = 10_000;

async function settled(isDone: () => boolean): Promise<void> {
  for (let tries = 0; !isDone(); tries++) {
    if (tries === TRIES) throw new Error('naive delivery does not go on');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
