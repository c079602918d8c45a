// Several people ask the same agent at the same time: everybody's message is handed over when its own compose window
// closes, whoever else is talking or typing there.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cases, SEED } from '../long.ts';
import { until, type WireHost, wireHost } from './host.ts';
import { type HarnessOptions, hostWith, type Seen, type WireHarness, WAYS } from './ways.ts';

/** The compose window of a message after which nothing more comes. */
const QUIET_MS = 2_000;
const MAX_WINDOW_MS = 30_000;
/** The clock of the tests goes in steps of 500 ms, and a long poll takes one more. */
const SLACK_MS = 1_000;
/** The agent of the SDK ends its turn at once, so that the next one can begin. */
const ANSWERS: HarnessOptions = { onTurn: (turn) => `Noted: ${turn.text.split('\n').length}.` };

const said = (agent: WireHarness): string[] => agent.seen.map(({ text }) => text);

const handedWith = (agent: WireHarness, text: string): Seen[] =>
  agent.seen.filter((one) => one.text.split('\n').includes(text));

/** A person types. The sign is an event of its own. */
async function types(wire: WireHost, by: string, typing = true): Promise<void> {
  await wire.post(wire.event('', { by, more: { type: 'typing', typing, text: undefined } }));
}

describe.each(WAYS)('over %s', (way) => {
  it('a second author 0.3 s after the first is handed over with the next window, and nobody is blamed [C2A-06-02/buffered/same-author-only]', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ANSWERS);
    await wire.say('@lead is the deploy blocked?', { by: 'ada' });
    await wire.pass(300);
    await wire.say('@lead who is on call?', { by: 'bob' });
    await wire.pass(QUIET_MS + SLACK_MS);
    await lead.next(({ text }) => text.includes('on call'));
    expect(said(lead)).toEqual(['@lead is the deploy blocked?', '@lead who is on call?']);
    const ops = await wire.token('operator', 'ops');
    expect((await wire.call('GET', '/v1/inbox', ops)).body).toEqual({ inbox: [] });
  });

  it('ten authors at once are ten turns', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ANSWERS);
    const people = Array.from({ length: 10 }, (_, n) => `person${n}`);
    const events = people.map((by, n) => wire.event(`@lead question ${n}?`, { by }));
    await wire.post(...events);
    await wire.pass(QUIET_MS + SLACK_MS);
    await until(
      () => lead.seen.length >= people.length,
      `ten turns over ${way}, came ${said(lead).join('; ')}`,
    );
    expect(said(lead)).toEqual(people.map((_, n) => `@lead question ${n}?`));
  });

  it('somebody who types and types holds up nobody else', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ANSWERS);
    await wire.say('@lead I have a long story', { by: 'ada' });
    await wire.say('@lead who is on call?', { by: 'bob' });
    for (let sign = 0; sign < 3; sign++) {
      await types(wire, 'ada');
      await wire.pass(1_000);
    }
    await lead.next(({ text }) => text.includes('on call'));
    expect(said(lead)).toEqual(['@lead who is on call?']);
    await types(wire, 'ada', false);
    await wire.pass(QUIET_MS);
    await lead.next(({ text }) => text.includes('long story'));
    expect(lead.seen).toHaveLength(2);
  });

  it('a window that is full is handed over, and what comes after it too', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ANSWERS);
    const lines = Array.from({ length: 55 }, (_, n) => wire.event(`@lead line ${n}`, { by: 'ada' }));
    await wire.post(...lines);
    await wire.say('@lead who is on call?', { by: 'bob' });
    await wire.pass(QUIET_MS + SLACK_MS);
    await until(() => lead.seen.length >= 3, `three turns over ${way}`);
    const text = said(lead).join('\n');
    for (let n = 0; n < lines.length; n++) expect(text.split('\n')).toContain(`@lead line ${n}`);
    expect(said(lead)).toContain('@lead who is on call?');
  });
});

interface Step {
  by: string;
  gap: number;
  what: 'says' | 'types' | 'stops' | 'murmurs';
}

const step: fc.Arbitrary<Step> = fc.record({
  by: fc.constantFrom('ada', 'bob', 'cyd', 'dee'),
  gap: fc.constantFrom(0, 100, 300, 1_500, 2_500, 9_000),
  what: fc.constantFrom('says', 'says', 'says', 'types', 'stops', 'murmurs'),
});

function corrected({ notes }: WireHarness): unknown[] {
  return notes.flatMap(({ method, params }) =>
    method === 'notifications/cancelled' && params['reason'] === 'corrected' ? [params['eventId']] : [],
  );
}

describe.each(WAYS)('in any room over %s', (way) => {
  it('every addressed message is handed over once, at most one window after it was said', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', {}, ANSWERS);
    let room = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12, size: 'max' }), async (steps) => {
        const where = `room${++room}`;
        const asked = new Map<string, number>();
        for (const { by, gap, what } of steps) {
          await wire.pass(gap);
          const line = { by, in: where };
          if (what === 'types' || what === 'stops') {
            await wire.post(
              wire.event('', {
                ...line,
                more: { type: 'typing', typing: what === 'types', text: undefined },
              }),
            );
          } else if (what === 'murmurs') await wire.say('the build takes long today', line);
          else {
            const text = `@lead what about ${where}-${asked.size}?`;
            asked.set(text, wire.clock.now());
            await wire.say(text, line);
          }
        }
        await wire.pass(MAX_WINDOW_MS + SLACK_MS);
        for (const [text, at] of asked) {
          const [first, ...more] = handedWith(lead, text);
          const late = (first?.at ?? Number.POSITIVE_INFINITY) - at;
          expect(late, `${text} in ${JSON.stringify(steps)}`).toBeLessThanOrEqual(MAX_WINDOW_MS + SLACK_MS);
          // What a pull does not settle comes again, under the same id. What its author went on with while a harness was at
          // work comes once more with the new words, after the earlier delivery was cancelled.
          let before = first?.eventId;
          for (const { eventId } of more) {
            if (eventId !== before) expect(corrected(lead)).toContain(before);
            before = eventId;
          }
        }
      }),
      { numRuns: cases(3, 25), seed: SEED },
    );
  });
});

const EXAMPLE = fileURLToPath(new URL('../../docs/examples/harness.mjs', import.meta.url));

it('the example harness, as a process of its own, answers both of two authors', async () => {
  const wire = await wireHost();
  const token = await wire.token('agent', 'lead');
  const harness = spawn(process.execPath, [EXAMPLE, `${wire.url.replace('http', 'ws')}/c2a`, token], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => harness.once('exit', resolve));
  onTestFinished(async () => {
    harness.kill();
    await ended;
  });
  await until(async () => {
    await wire.pass(1);
    return wire.host.courier.connected('lead');
  }, 'the example harness');
  await wire.say('@lead is the deploy blocked?', { by: 'ada' });
  await wire.pass(300);
  await wire.say('@lead who is on call?', { by: 'bob' });
  await wire.pass(QUIET_MS + SLACK_MS);
  await until(() => wire.platform.texts().length >= 2, 'two answers of the example harness');
  expect(wire.platform.texts()).toEqual(['Hello Ada, I am here.', 'Hello Bob, I am here.']);
});
