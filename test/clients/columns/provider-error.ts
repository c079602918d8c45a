// The provider refuses a call for good. The program gives up, the host asks again, and the answer comes once. The
// provider's own words never reach the room.
import { answers } from './brain.ts';
import type { Room } from '../room.ts';
import { type Column, hold } from './column.ts';

const ERROR = 'scripted failure of the provider';

export const PROVIDER_ERROR: Column = {
  name: 'provider error',
  promise: 'an error of the provider is never posted; once it is over, the answer comes, once',
  async run(room) {
    room.provider.think(() => ({ status: 400, error: ERROR }));
    room.start();
    await room.say('@lead what about the plum?');
    await room.until(
      async () => room.failures > 0 || (await room.answers()).some(({ text }) => text.includes(ERROR)),
    );
    room.provider.think(answers({ plum: { text: 'The plum is blue.' } }));
    // A runner that knows the provider says that trying again is useless. Then the asker is told, and asks again.
    const isGivenUp = await room.until(async () =>
      (await settled(room)) ? 'no' : (await room.gaveUp()) && 'yes',
    );
    if (isGivenUp === 'yes') await askAgain(room);
    const posted = (await room.until(() => settled(room))).map(({ text }) => text);
    hold(!posted.some((text) => text.includes(ERROR)), "the provider's error was posted");
    hold(
      posted.filter((text) => text.includes('plum is blue')).length === 1,
      'the answer came more than once',
    );
    return isGivenUp === 'yes' ? 'given up at once, the asker is told and asks again' : undefined;
  },
};

async function askAgain(room: Room): Promise<void> {
  await room.until(async () => {
    await room.answers();
    return room.hostLines.some((line) => line.includes('has stopped trying'));
  });
  await room.say('@lead what about the plum?');
}

async function settled(room: Room) {
  const posted = await room.answers();
  return posted.some(({ text }) => /plum is blue|scripted failure/.test(text)) && posted;
}
