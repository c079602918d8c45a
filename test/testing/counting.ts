// The counting game: three agents in one channel count to 100, one number a message, never twice in a row, no number
// twice. Played twice with the same thinking times and the same network, once with claims and once without.
import { type Script, testHost, type TestHost, type VisibleMessage } from '../../src/testing/index.ts';

export const PLAYERS = ['ann', 'ben', 'cy'] as const;
const GOAL = 100;
const THINK_MS = 3_000;
const NETWORK_MS = 200;
const GAME_MS = 30 * 60_000;
/** Scripts remember nothing and show nothing: only what the game needs is asked of the host. */
const LEAN = { threadWindow: false, typing: false } as const;

export interface Game {
  /** What the agents said in the channel. */
  said: VisibleMessage[];
  /** What went wrong first; undefined for a clean hundred. */
  fault: string | undefined;
}

/** On an open floor: whoever gets the claim on the last number says the next. */
export async function withClaims(seed: number): Promise<Game> {
  const host = await testHost({
    agents: PLAYERS,
    conversations: [{ match: '*', openFloor: true }],
    networkMs: NETWORK_MS,
    seed,
  });
  for (const id of PLAYERS) await host.agent(id, claimsFirst, LEAN);
  await host.say('will', 'Count to 100, one number a message. I begin: 0');
  await host.until(() => isOver(host), GAME_MS);
  return ended(host);
}

const claimsFirst: Script = async (turn, desk) => {
  await desk.wait(desk.chance() * THINK_MS);
  const claim = await turn.claim();
  const number = numberIn(claim.event?.text ?? '');
  if (claim.ok && number !== undefined && number < GOAL) await turn.reply(String(number + 1));
};

/**
 * As bots do it that each listen to the channel themselves: every number wakes both others, each by a mention of its
 * own, and nothing is claimed. They are careful: before one speaks it looks whether its number has been said.
 */
export async function withoutClaims(seed: number): Promise<Game> {
  const host = await testHost({ agents: PLAYERS, networkMs: NETWORK_MS, seed });
  for (const id of PLAYERS) await host.agent(id, looksFirst(host), LEAN);
  await host.say('will', 'Count to 100, one number a message. I begin: 0', { in: 'game' });
  let heard = 0;
  const until = host.clock.now() + GAME_MS;
  while (!isOver(host) && host.clock.now() < until) {
    const room = inGame(host);
    for (const { by, text } of room.slice(heard)) {
      for (const id of PLAYERS)
        if (id !== by) await host.say('relay', `@${id} ${text}`, { in: `trigger-${id}` });
    }
    heard = room.length;
    await host.until(() => inGame(host).length > heard, 60_000);
  }
  return ended(host);
}

function looksFirst(host: TestHost): Script {
  return async (turn, desk) => {
    await desk.wait(desk.chance() * THINK_MS);
    const number = numberIn(turn.text);
    if (turn.signal.aborted || number === undefined || number >= GOAL) return;
    const next = String(number + 1);
    if (inGame(host).some(({ text }) => text === next)) return;
    await turn.reply(next, { target: 'channel:game' });
  };
}

function inGame(host: TestHost): VisibleMessage[] {
  return host.visible().filter((message) => !message.in.startsWith('trigger'));
}

function numbers(host: TestHost): VisibleMessage[] {
  return inGame(host).filter(({ kind }) => kind === 'agent');
}

/** The last number in it: the first message has the goal in it too. */
function numberIn(text: string): number | undefined {
  const digits = text.match(/\d+/g)?.at(-1);
  return digits === undefined ? undefined : Number(digits);
}

function isOver(host: TestHost): boolean {
  const said = numbers(host);
  return said.length >= GOAL || faultIn(said) !== undefined;
}

function faultIn(said: readonly VisibleMessage[]): string | undefined {
  for (const [index, { by, text }] of said.entries()) {
    const before = said[index - 1];
    if (text !== String(index + 1)) return `${by} said ${text}, ${index + 1} was next`;
    if (before?.by === by) return `${by} said ${before.text} and ${text}`;
  }
  return undefined;
}

async function ended(host: TestHost): Promise<Game> {
  // Whoever still thinks about the hundredth may say what it has to say.
  await host.advance(2 * THINK_MS);
  const said = numbers(host);
  await host.close();
  const short = said.length < GOAL ? `only ${said.length} numbers` : undefined;
  return { said, fault: faultIn(said) ?? short };
}
