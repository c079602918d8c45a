// Agents that talk: each is connected over a way and answers what starts a turn by a function, as a model would. People
// and agents then talk until nobody has anything left to say.
import { type WireHost, type WireHostOptions, wireHost } from './host.ts';
import { harness, type Seen, type ToolResult, type Way, webhookFor, type WireHarness } from './ways.ts';

/** What an agent says about what it was told; undefined is silence. */
export type Says = (seen: Seen, turn: number) => string | undefined;

export interface Talker {
  agent: string;
  harness: WireHarness;
  /** What started a turn, in order. */
  turns: Seen[];
  /** What its sends came to, in order. */
  results: ToolResult[];
}

export interface Talk {
  wire: WireHost;
  of(agent: string): Talker;
  /** Lets them talk until nobody is woken any more, at most so many rounds. */
  settle(rounds?: number): Promise<void>;
  /** Turns of all agents that were started by another agent. */
  agentTurns(): Seen[];
}

/** Long enough for every compose window. */
const WINDOW_MS = 3_000;
const STEP_MS = 1_000;

export async function talk(
  way: Way,
  agents: Readonly<Record<string, Says>>,
  options: WireHostOptions = {},
): Promise<Talk> {
  const ids = Object.keys(agents);
  const webhooks = way === 'webhook' ? await Promise.all(ids.map((id) => webhookFor(id))) : [];
  const settings = { agents: ids.map((id) => ({ id })), ...options };
  const wire = await wireHost({ ...settings, host: { ...options.host, webhooks } });
  const talkers = new Map<string, Talker>();
  for (const [agent, says] of Object.entries(agents)) talkers.set(agent, await join(wire, way, agent, says));
  const count = (): number => [...talkers.values()].reduce((sum, { turns }) => sum + turns.length, 0);
  return {
    wire,
    of: (agent) => {
      const talker = talkers.get(agent);
      if (talker === undefined) throw new Error(`nobody is called ${agent}`);
      return talker;
    },
    async settle(rounds = 60) {
      let quiet = 0;
      for (let round = 0; round < rounds && quiet < 2; round++) {
        const before = count();
        await wire.pass(WINDOW_MS, STEP_MS);
        for (const talker of talkers.values()) await answerAll(talker, agents[talker.agent]);
        await wire.pass(1);
        quiet = count() === before ? quiet + 1 : 0;
      }
    },
    agentTurns: () => [...talkers.values()].flatMap(({ turns }) => turns.filter(isByAgent)),
  };
}

export function isByAgent({ raw }: Seen): boolean {
  return (raw['author'] as { kind?: string } | undefined)?.kind === 'agent';
}

async function join(wire: WireHost, way: Way, agent: string, says: Says): Promise<Talker> {
  const talker: Talker = { agent, harness: undefined as never, turns: [], results: [] };
  talker.harness = await harness(wire, agent, way, {
    async onTurn(turn) {
      const seen = talker.harness.seen.at(-1);
      if (seen === undefined || !startsTurn(seen)) return;
      talker.turns.push(seen);
      const text = says(seen, talker.turns.length);
      if (text === undefined) return;
      const { ok, data, error = 'error', text: message } = await turn.reply(text);
      talker.results.push(ok ? { ok, result: { ...data }, text: message } : { ok, name: error, message });
    },
  });
  return talker;
}

/** How many of what arrived each talker has looked at. The SDK answers by itself. */
const done = new WeakMap<Talker, number>();

async function answerAll(talker: Talker, says: Says | undefined): Promise<void> {
  const { harness: at, turns, results } = talker;
  if (at.way === 'sdk' || says === undefined) return;
  for (let next = done.get(talker) ?? 0; next < at.seen.length; next++) {
    done.set(talker, next + 1);
    const seen = at.seen[next];
    if (seen === undefined || !startsTurn(seen)) continue;
    turns.push(seen);
    const text = says(seen, turns.length);
    if (text !== undefined) results.push(await at.reply(seen, text));
  }
}

function startsTurn({ mode, policy }: Seen): boolean {
  return mode === 'immediate' || mode === 'buffered' || policy === 'must_respond';
}
