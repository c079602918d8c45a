// The client is killed while its model thinks, with everything it started. Started anew it answers, once.
import { answers, untilGone } from './brain.ts';
import { type Column, hold } from './column.ts';

export const KILL_AND_RESTART: Column = {
  name: 'kill and restart',
  promise: 'killed in the middle of a turn and started again, it answers what was asked, once, and goes on',
  async run(room) {
    const { provider } = room;
    provider.think(answers({ plum: untilGone }));
    room.start();
    await room.say('@lead what about the plum?');
    await room.until(() => provider.asked.some(({ turn }) => turn.includes('plum')));
    await room.kill();
    provider.think(answers({ mango: { text: 'The mango is ripe.' }, plum: { text: 'The plum is blue.' } }));
    room.start();
    await room.posted(/plum is blue/);
    await room.say('@lead what about the mango?');
    await room.posted(/mango is ripe/);
    const posted = await room.answers();
    hold(posted.length === 2, `${posted.length} messages for two questions`);
    return undefined;
  },
};
