// The provider refuses a call for good. The program gives up, the host asks again, and the answer comes once. The
// provider's own words never reach the room.
import { answers } from './brain.ts';
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
    const posted = (await room.until(() => settled(room))).map(({ text }) => text);
    hold(!posted.some((text) => text.includes(ERROR)), "the provider's error was posted");
    hold(
      posted.filter((text) => text.includes('plum is blue')).length === 1,
      'the answer came more than once',
    );
    return undefined;
  },
};

async function settled(room: Parameters<Column['run']>[0]) {
  const posted = await room.answers();
  return posted.some(({ text }) => /plum is blue|scripted failure/.test(text)) && posted;
}
