// Why a line without any sign was taken for an agent's, or was not, as the host tells it: how likely it was, what spoke for
// and against it, and what would have tipped it.
import { expect, it } from 'vitest';
import { type RoomHost, roomHost } from './room.ts';

/** Ann has been helped by nova, others talk, and Ann goes on. What is told of her line. */
async function told(host: RoomHost, others: number): Promise<{ engaged: boolean; steps: readonly string[] }> {
  const room = host.room({ membership: { humans: 4 } });
  const asked = await room.say('ann', '@nova the login page shows a 401 after the token expires');
  await room.say('nova', 'ann: which browser do you use for the login page?', { inReplyTo: asked });
  for (let n = 0; n < others; n++)
    await room.say(n % 2 === 0 ? 'ben' : 'cat', 'the totals are off by one cent');
  const line = await room.say('ann', 'hm, strange');
  const { decision, steps } = await host.wire.why(line.eventId, 'nova');
  return { engaged: decision?.decision === 'engage', steps };
}

it.each([
  ['taken for the agent’s', 'keen', 0, true],
  ['left alone', 'quiet', 8, false],
] as const)('a line that was %s is explained', async (_, attention, others, engaged) => {
  const host = await roomHost({ agents: [{ id: 'nova', attention }] });
  const found = await told(host, others);
  expect(found.engaged).toBe(engaged);
  const [likely, pro, contra, tip] = found.steps.slice(
    found.steps.findIndex((step) => step.includes('probability')),
  );
  expect(likely).toMatch(/^It is for this agent with a probability of \d+ %, .* hears it from \d+ % on\.$/);
  expect(pro).toMatch(/^For it: [^;]+(; [^;]+){2}\.$/);
  expect(contra).toMatch(/^Against it: [^;]+(; [^;]+){2}\.$/);
  expect(tip).toMatch(/tipped it: but for “[^”=]+” it would (still )?have been \d+ %/);
});

it('a line with a sign is told without numbers', async () => {
  const host = await roomHost({ agents: [{ id: 'nova' }] });
  const room = host.room({ membership: { humans: 4 } });
  const line = await room.say('ann', '@nova is it fixed?');
  const { steps } = await host.wire.why(line.eventId, 'nova');
  expect(steps.join('\n')).not.toMatch(/probability|%/);
});
