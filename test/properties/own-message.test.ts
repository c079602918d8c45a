// Nobody else's words: for random rooms, no text that was said to another stands inside what an agent is asked. Through
// the real host, with two agents on the SDK and one that pulls, for which the host composes.
import { describe, expect, it } from 'vitest';
import { callTool } from '../../src/host/tools/call.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import { testHost, type TestHost } from '../../src/testing/index.ts';
import { cases, SEED } from '../long.ts';
import { AGENTS, isFor, type Line, randomRoom } from './random-rooms.ts';

/** Rooms that are played at the same time, on one host. */
const AT_ONCE = 100;
const LINES = 8;
const ROOMS = cases(500, 10_000);
const PULLING = 'scout';

interface Asked {
  agent: string;
  /** What the agent was asked: the MESSAGE of its prompt, or the content of the event it pulled. */
  message: string;
  /** Everything it was shown. */
  whole: string;
}

async function play(seed: number): Promise<{ lines: Line[]; asked: Asked[] }> {
  const random = seededRandom(seed);
  const rooms = Array.from({ length: AT_ONCE }, (_, index) => ({
    id: `r${index}`,
    lines: randomRoom(random, `${seed}r${index}`, LINES),
  }));
  const host = await testHost({
    agents: [{ id: 'lead' }, { id: 'builder', roles: ['ops'] }, { id: PULLING, roles: ['ops'] }],
    seed,
  });
  const asked: Asked[] = [];
  for (const agent of AGENTS) {
    if (agent === PULLING) continue;
    await host.agent(agent, async (turn) => {
      asked.push({ agent, message: `${messageIn(turn.user)}\n${turn.text}`, whole: turn.user });
      const claimed = turn.events.some(({ notices }) => notices.includes('claim_first'))
        ? await turn.claim()
        : undefined;
      if (claimed?.event !== undefined)
        asked.push({ agent, message: messageIn(claimed.text), whole: claimed.text });
      if (random.next() < 0.4) await turn.reply('Noted.');
    });
  }
  const due = rooms.flatMap(({ id, lines }) => lines.map((line) => ({ id, line })));
  const start = host.clock.now();
  const moments = Map.groupBy(due, ({ line }) => line.atMs);
  for (const [atMs, said] of [...moments].toSorted(([a], [b]) => a - b)) {
    await host.advance(start + atMs - host.clock.now());
    for (const { id, line } of said) {
      const { by, text, more, edits } = line;
      const edit = edits === undefined ? {} : { type: 'edit', targetEventId: edits };
      await host.say(by, text, { id: line.id, in: id, more: { ...more, ...edit } });
    }
    asked.push(...(await pulled(host)));
  }
  await host.advance(60_000);
  asked.push(...(await pulled(host)));
  const lines = rooms.flatMap((room) => meant(room, start, host));
  await host.close();
  return { lines, asked };
}

/** When an agent answered in between, what its author types next may well be for that agent: nobody can tell. */
function meant({ id, lines }: { id: string; lines: Line[] }, start: number, host: TestHost): Line[] {
  const answers = host.visible().filter((message) => message.kind === 'agent' && message.in === id);
  const unclear = new Set<string>();
  return lines.map((line) => {
    const before = lines.find((other) => other.id === line.goesOn);
    if (before === undefined) return line;
    const isBetween = ({ at }: { at: number }): boolean =>
      at >= start + before.atMs && at <= start + line.atMs;
    if (!unclear.has(before.id) && !answers.some(isBetween)) return line;
    unclear.add(line.id);
    return { ...line, to: [] };
  });
}

/** The text between MESSAGE and the end of its fence. */
function messageIn(prompt: string): string {
  return /\nMESSAGE\n<<<chat (\S+)\n([\s\S]*?)\n\1 chat>>>/.exec(prompt)?.[2] ?? '';
}

async function pulled(host: TestHost): Promise<Asked[]> {
  const caller = host.host.toolCaller(PULLING);
  const { capabilities } = caller.agreement;
  // Without redelivery, what was pulled is not offered again.
  const once = { ...capabilities, delivery: { ...capabilities.delivery, redelivery: false } };
  const agreement = { ...caller.agreement, capabilities: once };
  const answer = callTool('chat.wait_events', { timeoutMs: 0, limit: 20 }, { ...caller, agreement });
  await host.advance(0);
  const { structuredContent } = await answer;
  const { events = [] } = (structuredContent ?? {}) as { events?: Record<string, unknown>[] };
  return events.map((event) => ({
    agent: PULLING,
    message: JSON.stringify(event['content'] ?? ''),
    whole: JSON.stringify(event),
  }));
}

describe('an agent’s message', () => {
  it(`holds nobody else’s words, in ${ROOMS} random rooms`, { timeout: 3_600_000 }, async () => {
    const led = { lines: 0, turns: 0, marked: 0 };
    for (let batch = 0; batch < ROOMS / AT_ONCE; batch++) {
      const seed = SEED * 1_000 + batch;
      const { lines, asked } = await play(seed);
      const byWord = new Map(lines.map((line) => [line.word, line]));
      for (const { agent, message, whole } of asked) {
        const found = message.match(/w\w+x\d+z/g) ?? [];
        led.turns += 1;
        if (/ to (?:agent|human|role|you|everybody|somebody)/.test(whole)) led.marked += 1;
        for (const word of found) {
          const line = byWord.get(word);
          if (line === undefined) throw new Error(`no line has ${word}`);
          if (line.to.length === 0) led.lines += 1;
          expect(
            isFor(line, agent),
            `seed ${seed}: ${agent} is asked "${line.text}", which ${line.by} said to ${line.to.join()}\n${whole}`,
          ).toBe(true);
        }
      }
    }
    // The property is not empty: lines to nobody did join, and what was said to others was marked.
    expect(led.turns).toBeGreaterThan(ROOMS);
    expect(led.lines).toBeGreaterThan(ROOMS / 10);
    expect(led.marked).toBeGreaterThan(ROOMS / 10);
  });
});
