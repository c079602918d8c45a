// Somebody edits the question while the model thinks. The first run is given up, and only the new question is answered.
import { answers, untilGone } from './brain.ts';
import { type Column, hold } from './column.ts';

export const CORRECTION: Column = {
  name: 'correction',
  promise: 'a question that is edited while the model thinks is answered once, as it reads now',
  async run(room) {
    const { provider } = room;
    provider.think(answers({ mango: { text: 'The mango is ripe.' }, plum: untilGone }));
    room.start();
    const eventId = await room.say('@lead what about the plum?');
    const first = await room.until(() => provider.asked.find(({ turn }) => turn.includes('plum')));
    await room.say('@lead what about the mango?', { type: 'edit', targetEventId: eventId });
    await room.posted(/mango is ripe/);
    const posted = await room.answers();
    hold(posted.length === 1, `${posted.length} messages for one question`);
    // The host has fenced that turn, so it can post nothing. It only costs.
    const hungUp = await Promise.race([first.hungUp.then(() => true), Promise.resolve(false)]);
    return hungUp ? undefined : 'the first call of the model goes on';
  },
};
