import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../runtime/clock.ts';
import { seededRandom } from '../runtime/random.ts';
import { memoryPair } from './memory.ts';
import { type CloseReason, listen } from './transport.ts';

async function turns(): Promise<void> {
  for (let i = 0; i < 4; i++) await Promise.resolve();
}

async function run(seed: number, lossChance: number, delayMaxMs: number) {
  const clock = new VirtualClock();
  const [a, b] = memoryPair({ clock, faults: { random: seededRandom(seed), lossChance, delayMaxMs } });
  const arrived: [frame: string, at: number][] = [];
  const reasons: CloseReason[] = [];
  listen(a, { onclose: (reason) => reasons.push(reason) });
  listen(b, {
    onmessage: (frame) => arrived.push([frame, clock.now()]),
    onclose: (reason) => reasons.push(reason),
  });
  await Promise.all([a.start(), b.start()]);
  let sent = 0;
  for (; sent < 200 && reasons.length === 0; sent++) {
    a.send(String(sent));
    await turns();
    clock.advance(1);
    await turns();
  }
  clock.advance(delayMaxMs);
  await turns();
  return { arrived, reasons, sent };
}

describe('faults', () => {
  it('delay frames without changing their order', async () => {
    const { arrived, reasons } = await run(7, 0, 30);
    expect(arrived.map(([frame]) => frame)).toEqual(Array.from({ length: 200 }, (_, i) => String(i)));
    expect(arrived.some(([frame, at]) => at > Number(frame))).toBe(true);
    expect(reasons).toEqual([]);
  });

  it('lose the connection with what is under way, and both sides hear it', async () => {
    const { arrived, reasons, sent } = await run(7, 0.05, 0);
    expect(reasons).toEqual(['lost', 'lost']);
    expect(sent).toBeLessThan(200);
    expect(arrived.length).toBeLessThan(sent);
    expect(arrived.map(([frame]) => frame)).toEqual(arrived.map((_, i) => String(i)));
  });

  it('are the same for the same seed', async () => {
    expect(await run(11, 0.02, 10)).toEqual(await run(11, 0.02, 10));
    expect(await run(11, 0.02, 10)).not.toEqual(await run(12, 0.02, 10));
  });
});
