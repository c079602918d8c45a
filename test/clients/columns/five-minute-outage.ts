// The provider answers nothing but 503 for five minutes. Nothing is lost: the asker is told, and the answer comes once.
// This runs in real time, because the programs do. EARSHOT_OUTAGE_SECONDS makes it shorter.
import { answers } from './brain.ts';
import { type Column, hold, Unmet } from './column.ts';

const OUTAGE_MS = Number(process.env['EARSHOT_OUTAGE_SECONDS'] ?? 300) * 1_000;
/** The longest pause of the host between two tries is four minutes, and a program may try for some time. */
const LIMIT_MS = OUTAGE_MS + 420_000;
const ERROR = 'scripted outage';

export const FIVE_MINUTE_OUTAGE: Column = {
  name: 'five-minute outage',
  promise: 'after five minutes without a provider the answer still comes, once, and no error was posted',
  limitMs: LIMIT_MS,
  async run(room) {
    room.provider.think(() => ({ status: 503, error: ERROR }));
    room.start();
    const began = Date.now();
    await room.say('@lead what about the plum?');
    await room.until(async () => {
      const seconds = Math.round((Date.now() - began) / 1_000);
      if (await room.gaveUp()) throw new Unmet(`the host gave the question up after ${seconds} s`);
      return Date.now() - began > OUTAGE_MS;
    });
    room.provider.think(answers({ plum: { text: 'The plum is blue.' } }));
    await room.posted(/plum is blue/);
    const texts = (await room.answers()).map(({ text }) => text);
    hold(!texts.some((text) => text.includes(ERROR)), "the provider's error was posted");
    hold(texts.length === 1, `it was answered ${texts.length} times`);
    // A program that takes long to start is also said to be away.
    const told = room.hostLines.filter((line) => line.includes('is trying again')).length;
    // Some try by themselves until it is over. No turn fails then, and the host has nothing to tell.
    const isHeard = room.client.onlyPulls !== true && room.failures > 0;
    hold(told === (isHeard ? 1 : 0), `the asker was told ${told} times`);
    if (!isHeard) return 'it tries again by itself, so nobody is told';
    return OUTAGE_MS < 300_000 ? `over ${Math.round(OUTAGE_MS / 1_000)} s` : undefined;
  },
};
