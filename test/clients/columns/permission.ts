// The model wants to run a command. Where the program can ask, a person in chat decides. Where it cannot, nothing may
// happen, except with programs that are documented to run commands unasked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { answers, runs } from './brain.ts';
import { type Column, hold } from './column.ts';
import type { Room } from '../room.ts';

const FILE = 'made-by-the-model';
const BEFORE = 'I will make it now.';
const AFTER = 'The walnut is done.';

const WHY: Readonly<Record<Client['permission'], string | undefined>> = {
  asks: undefined,
  refuses: 'started once a turn, it can ask nobody',
  unasked: 'it runs commands unasked',
  none: 'its model has no tool to ask about',
};

export const PERMISSION_YES: Column = {
  name: 'permission yes',
  promise: 'what the model wants to run is shown in chat; after "yes" it runs and the answer is posted',
  cannot: ({ permission }) => WHY[permission],
  async run(room) {
    await question(room);
    await room.say('yes');
    await room.posted(/walnut is done/);
    hold(existsSync(join(room.place.work, FILE)), 'after "yes" the command did not run');
    return undefined;
  },
};

export const PERMISSION_NO: Column = {
  name: 'permission no',
  promise: 'after "no" the command does not run, and nothing said before the question is posted',
  cannot: ({ permission }) => (permission === 'refuses' ? undefined : WHY[permission]),
  async run(room) {
    if (room.client.permission === 'refuses') {
      think(room);
      room.start();
      await room.say('@lead please do the walnut');
      const { text } = await room.posted(/walnut is done|no such tool/);
      hold(!existsSync(join(room.place.work, FILE)), 'the command ran, and nobody was asked');
      return text.includes('no such tool') ? 'its model gets no such tool' : 'it refuses by itself';
    }
    await question(room);
    await room.say('no');
    // A later question shows that the turn is over, whether the agent said something or not.
    await room.say('@lead what about the pear?', { conversation: { id: 'builds', kind: 'channel' } });
    await room.posted(/pear is green/, 'builds');
    await room.until(() => room.log.includes('answered') || room.log.includes('left it'));
    hold(!existsSync(join(room.place.work, FILE)), 'after "no" the command ran');
    hold(
      !(await room.answers()).some(({ text }) => text.includes(BEFORE)),
      'what was said before "no" was posted',
    );
    return undefined;
  },
};

function think(room: Room): void {
  const command = `touch ${FILE}`;
  room.provider.think(
    answers({ walnut: runs(command, BEFORE, AFTER), pear: { text: 'The pear is green.' } }),
  );
}

async function question(room: Room): Promise<void> {
  think(room);
  room.start();
  await room.say('@lead please do the walnut');
  const asked = await room.posted(/^May I /);
  hold(asked.text.includes(FILE), 'the question does not show the command');
  hold(!existsSync(join(room.place.work, FILE)), 'the command ran before the answer');
}
