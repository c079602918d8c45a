// Somebody edits the question while the model thinks. The first run is given up, and only the new question is answered.
import type { Asked } from '../provider/asked.ts';
import type { Does } from '../provider/server.ts';
import { answers } from './brain.ts';
import { type Column, hold } from './column.ts';

export const CORRECTION: Column = {
  name: 'correction',
  promise: 'a question that is edited while the model thinks is answered once, as it reads now',
  async run(room) {
    const { provider } = room;
    const { promise: edited, resolve: release } = Promise.withResolvers<void>();
    const plum = async ({ hungUp }: Asked): Promise<Does> => {
      await Promise.race([hungUp, edited]);
      return { text: 'The plum is blue.' };
    };
    provider.think(answers({ mango: { text: 'The mango is ripe.' }, plum }));
    room.start();
    const eventId = await room.say('@lead what about the plum?');
    const first = await room.until(() => provider.asked.find(({ turn }) => turn.includes('plum')));
    let isGone = false;
    void first.hungUp.then(() => (isGone = true));
    await room.say('@lead what about the mango?', { type: 'edit', targetEventId: eventId });
    // Where nothing can interrupt the program, its model ends with the answer to the first question.
    if (room.client.onlyPulls === true) release();
    await room.posted(/mango is ripe/);
    const posted = await room.answers();
    hold(posted.length === 1, `${posted.length} messages for one question`);
    // The host has fenced that turn, so it can post nothing. It only costs.
    return isGone ? undefined : 'the first call of the model goes on';
  },
};
