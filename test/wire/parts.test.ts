// A text too long for one message of the platform, over the wire: parts in order, one event, one answer.
import { describe, expect, it } from 'vitest';
import { until } from './host.ts';
import { hostWith, WAYS } from './ways.ts';

interface LogEntry {
  eventId: string;
  text?: string;
}

const PARAGRAPHS = ['one ', 'two ', 'three '].map((word) => word.repeat(20).trim());
const LONG = PARAGRAPHS.join('\n\n');

describe.each(WAYS)('over %s', (way) => {
  it('a long answer is shown in parts, one of which is tried again, and is one event', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead', { maxChars: 130 });
    const eventId = await wire.say('@lead tell me all');
    await wire.pass(3_000);
    const asked = await lead.next((seen) => seen.eventId === eventId, 'the question');
    let refusals = 1;
    wire.platform.onPost = ({ part }) => (part?.number === 2 && refusals-- > 0 ? 'retry' : 'show');
    void lead.reply(asked, LONG);
    await until(() => wire.platform.arrived.some(({ part }) => part?.number === 2));
    await until(async () => {
      await wire.pass(5_000);
      return wire.platform.texts().length === 3;
    });
    expect(wire.platform.texts()).toEqual(PARAGRAPHS);
    const [first = '', ...others] = wire.platform.shown.map(({ idempotencyKey }) => idempotencyKey);
    expect(others).toEqual([`${first}#2`, `${first}#3`]);
    const logged = async (text: string): Promise<LogEntry | undefined> => {
      const { body } = await wire.call('GET', '/v1/log?last=true', await wire.token('operator', 'ops'));
      return (body['log'] as LogEntry[]).find((entry) => entry.text === text);
    };
    const told = await until(() => logged(LONG));
    const more = { replyTo: { eventId: 'p2', authorId: 'lead' } };
    await wire.say('is this the second part?', { more });
    expect(await logged('is this the second part?')).toMatchObject({ replyTo: told.eventId });
  });
});
