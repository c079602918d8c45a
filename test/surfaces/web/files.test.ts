// Files that agents send in the web chat, over the tab's own connection and the host's own data file: their names are with
// the message, and whoever may see it gets the bytes.
import { expect, it } from 'vitest';
import { newKey } from './tab.ts';
import { team } from './team.ts';

const TOKEN = `ghp_${'Ab1'.repeat(12)}`;
const PNG = Buffer.from([137, 80, 78, 71, 0, 255]);
const ATTACHMENTS = [
  { name: 'numbers.csv', text: `monday,7\ntoken,${TOKEN}\n` },
  { name: 'chart.png', base64: PNG.toString('base64') },
];

it('are shown by name and read by whoever may see their message, without secrets', async () => {
  const room = await team();
  room.agent('lead', async (_, turn) => {
    await turn.reply('Here are the numbers.', { attachments: ATTACHMENTS });
    return undefined;
  });
  const ada = await room.person('ada');
  const bob = await room.person('bob');
  const { conversation } = await ada.tab.ask('create', { kind: 'dm', key: newKey(), with: 'agent:lead' });
  await ada.tab.say(conversation.id, 'the numbers?');
  const { message } = await ada.tab.until('message', (told) => told.message.author.kind === 'agent');
  expect(message).toMatchObject({
    text: 'Here are the numbers.',
    files: [{ name: 'numbers.csv' }, { name: 'chart.png', bytes: PNG.length }],
  });
  const [csv, png] = (message.files ?? []).map(({ id }) => ({ eventId: message.eventId, file: id }));
  if (csv === undefined || png === undefined) throw new Error('there are no files');
  const text = await ada.tab.ask('file', csv);
  expect(text).toMatchObject({ name: 'numbers.csv', contentType: 'text/csv' });
  expect(Buffer.from(text.base64, 'base64').toString()).toBe('monday,7\ntoken,[redacted]\n');
  expect((await ada.tab.ask('file', png)).base64).toBe(PNG.toString('base64'));
  const page = await ada.tab.ask('open', { conversation: conversation.id });
  expect(page.messages.at(-1)?.files).toEqual(message.files);

  await expect(bob.tab.ask('file', csv)).rejects.toThrow('There is no such message');
  const elsewhere = await bob.tab.say('general', 'mine');
  await expect(bob.tab.ask('file', { ...csv, eventId: elsewhere.eventId })).rejects.toThrow(
    'There is no such file',
  );
});
