// Somebody asks the agent by name, twice: each question has one answer, and the second is the model's own.
import { answers } from './brain.ts';
import { type Column, hold } from './column.ts';

export const ASK: Column = {
  name: 'ask',
  promise: 'a question is answered once, as a reply to it, and so is the next one',
  async run(room) {
    room.provider.think(
      answers({ mango: { text: 'The mango is ripe.' }, plum: { text: 'The plum is blue.' } }),
    );
    room.start();
    const first = await room.say('@lead what about the plum?');
    hold((await room.posted(/plum is blue/)).replyTo === first, 'the answer is no reply to the question');
    await room.say('@lead what about the mango?');
    await room.posted(/mango is ripe/);
    const posted = await room.answers();
    hold(posted.length === 2, `${posted.length} messages for two questions`);
    return undefined;
  },
};
