// A question to another agent is not for this one. What another agent says to it is.
import { answers } from './brain.ts';
import { type Column, hold } from './column.ts';

export const OTHER_AGENT: Column = {
  name: 'other agent',
  promise: 'what is said to another agent starts nothing; what another agent asks is answered once',
  async run(room) {
    room.provider.think(
      answers({ melon: { text: 'The melon is sweet.' }, cherry: { text: 'The cherry is red.' } }),
    );
    room.start();
    await room.say('@builder what about the cherry?');
    await room.say('@lead what about the melon?', {
      conversation: { id: 'builds', kind: 'channel' },
      author: { id: 'builder', kind: 'agent', displayName: 'Builder' },
    });
    await room.posted(/melon is sweet/, 'builds');
    hold((await room.answers('builds')).length === 1, 'the other agent was answered more than once');
    hold(
      (await room.answers()).every(({ text }) => !text.includes('cherry')),
      'it answered for another agent',
    );
    const asked = room.provider.asked.some(({ turn }) => turn.includes('cherry'));
    hold(!asked, 'the model was asked what was said to another agent');
    return undefined;
  },
};
