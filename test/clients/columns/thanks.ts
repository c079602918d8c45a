// Thanks end a talk. No model is asked about them. A question elsewhere shows that everything before it was decided.
import { answers } from './brain.ts';
import { type Column, hold } from './column.ts';

export const THANKS: Column = {
  name: 'thanks',
  promise: 'thanks are not answered, and no model is asked about them',
  async run(room) {
    room.provider.think(
      answers({ plum: { text: 'The plum is blue.' }, pear: { text: 'The pear is green.' } }),
    );
    room.start();
    await room.say('@lead what about the plum?');
    await room.posted(/plum is blue/);
    await room.say('thanks a lot, @lead!');
    await room.say('@lead what about the pear?', { conversation: { id: 'builds', kind: 'channel' } });
    await room.posted(/pear is green/, 'builds');
    hold((await room.answers()).length === 1, 'thanks were answered');
    hold(
      !room.provider.asked.some(({ turn }) => turn.includes('thanks a lot')),
      'the model was asked about thanks',
    );
    return undefined;
  },
};
