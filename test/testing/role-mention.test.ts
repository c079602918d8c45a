// A role mention to five agents with five tempers: one answers, whoever they are and however slow the network is.
import { expect, it } from 'vitest';
import { eager, polite, type Script, slow, testHost } from '../../src/testing/index.ts';
import { seeds } from '../long.ts';

const FIVE = ['ann', 'ben', 'cy', 'dee', 'eve'];
const ROUNDS = seeds(40, 1_000);
const CLAIM_MS = 10 * 60_000;
/** Longer than all five could keep an offer. */
const ALL_MS = 150_000;
const LEAN = { threadWindow: false, typing: false } as const;

/** One of them takes what it is offered at once; the others are as the seed has it. */
function temper(index: number, seed: number): Script {
  if (index === seed % FIVE.length) return eager();
  const drawn = (seed * 31 + index * 17) % 7;
  if (drawn < 2) return eager();
  if (drawn < 4) return polite();
  // Some are so slow that the offer has gone on before they claim it.
  return slow(drawn * 5_000);
}

async function answerers(seed: number): Promise<string[]> {
  const agents = FIVE.map((id) => ({ id, roles: ['ops'] }));
  const host = await testHost({ agents, networkMs: 300, seed });
  for (const [index, id] of FIVE.entries()) await host.agent(id, temper(index, seed), LEAN);
  await host.say('will', '@ops can you check the deploy?');
  const answers = (): string[] => host.visible().flatMap(({ by, kind }) => (kind === 'agent' ? [by] : []));
  // One that claims at the moment its time is over may be withdrawn with the claim in its hands: then the claim has to
  // lapse before the next one is asked.
  await host.until(() => answers().length > 0, 5 * CLAIM_MS);
  await host.advance(ALL_MS);
  const answered = answers();
  await host.close();
  return answered;
}

it('a role mention to five agents: exactly one answers, whatever the seed', async () => {
  const who = new Map<string, number>();
  for (const seed of ROUNDS) {
    const answered = await answerers(seed);
    expect(answered, `seed ${seed}`).toHaveLength(1);
    for (const by of answered) who.set(by, (who.get(by) ?? 0) + 1);
  }
  expect(who.size).toBe(FIVE.length);
}, 300_000);
