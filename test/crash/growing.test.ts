// The host is killed in the middle of an answer of 2,000 words that people see grow. Nothing of the half answer is kept; the
// harness comes back and goes on; in the end there is one event and one visible message.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/agent/index.ts';
import { signIn, type Tab } from '../surfaces/web/tab.ts';
import { Team, teamFolder } from '../surfaces/web/team.ts';
import { type Up, up } from '../server/up.ts';

const WORDS = 2_000;
const HALF = WORDS / 2;
const LAST = 200;
const PAUSE_MS = 20;
const word = (n: number): string => `word${n} `;
const text = (words: number): string => Array.from({ length: words }, (_, n) => word(n)).join('');

const seenIn = async (tab: Tab, wanted: string): Promise<string> => {
  let shown = '';
  await expect
    .poll(async () => {
      const { growing = [] } = await tab.ask('open', { conversation: 'general', limit: 1 });
      shown = growing.map((one) => one.text).join();
      return shown;
    })
    .toContain(wanted);
  return shown;
};

async function messagesOf(host: Up): Promise<{ texts: string[]; log: string }> {
  const { tab } = await new Team(host).person('eve');
  const { messages } = await tab.ask('open', { conversation: 'general', limit: 100 });
  const { text: log } = await host.call('GET', '/v1/log?limit=100', host.tokens.operator);
  return { texts: messages.map((one) => one.text), log };
}

it('is one event and one message after kill -9 in the middle', async () => {
  const data = teamFolder();
  const first = await up({ data });
  const { port } = new URL(first.url);
  const ada = await new Team(first).person('ada');
  const killed = Promise.withResolvers<void>();
  const agent = connect({
    url: `${first.url.replace('http', 'ws')}/c2a`,
    token: first.tokens.agents['lead'] ?? '',
    compose: { quietMs: 50 },
    limits: { reconnectBaseMs: 50, reconnectCapMs: 200 },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  onTestFinished(() => agent.close());
  const go = Promise.withResolvers<void>();
  agent.onTurn(async (turn) => {
    const out = turn.stream();
    for (let n = 0; n < HALF; n++) out.write(word(n));
    await killed.promise;
    // Some is written while there is no host, the rest as a model writes: a few words at a time.
    for (let n = HALF; n < WORDS; n++) {
      if (n > WORDS - LAST) await sleep(PAUSE_MS);
      out.write(word(n));
    }
    await go.promise;
    await out.end();
  });
  await ada.tab.say('general', '@lead tell me everything');
  await seenIn(ada.tab, word(HALF - 2).trim());
  first.child.kill('SIGKILL');
  await Promise.all([first.exit, ada.tab.closed]);
  killed.resolve();
  const second = await up({ data, argv: ['--port', port] });
  expect(second.url).toBe(first.url);
  // The turn goes on, and people who come back see it grow again.
  const back = await signIn(second.url, ada.token, ada.tab.position);
  await seenIn(back.tab, word(WORDS - 2).trim());
  expect(back.tab.texts()).toEqual([]);
  const middle = await messagesOf(second);
  expect(middle.texts).toEqual(['@lead tell me everything']);
  expect(middle.log).not.toContain('word0');
  go.resolve();
  const { message } = await back.tab.until('message', ({ message: { author } }) => author.id === 'lead');
  expect(message.text).toBe(text(WORDS).trim());
  const after = await messagesOf(second);
  expect(after.texts).toEqual(['@lead tell me everything', text(WORDS).trim()]);
  expect(after.log.split('word0 word1 ')).toHaveLength(2);
  expect((await back.tab.ask('open', { conversation: 'general' })).growing).toBeUndefined();
});
