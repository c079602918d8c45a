import { describe, expect, it } from 'vitest';
import type { OutboundMention, OutboundMessage } from '../surface.ts';
import { keyIn, MAX_CHARS, postOf, textOf } from './write.ts';

const NAMES: Record<string, string> = { U1: 'Ada Lovelace' };
const OPTIONS = { markdown: true, persona: true, nameOf: (id: string) => NAMES[id] };

function message(text: string, more: Partial<OutboundMessage> = {}): OutboundMessage {
  return {
    idempotencyKey: 'lead:k1',
    eventId: 'out_1',
    createdAt: 0,
    agent: 'lead',
    persona: { name: 'Lead' },
    place: { platform: 'slack', workspaceId: 'T1', conversationId: 'C1' },
    text,
    part: { number: 1, of: 1 },
    visibility: 'channel',
    mentions: [],
    ...more,
  };
}
const ada: OutboundMention = { identity: 'human:U1', name: 'U1', account: 'U1' };

describe('what is posted', () => {
  it('has the text as Markdown, the key, and the agent’s name', () => {
    expect(postOf(message('**done**'), OPTIONS)).toEqual({
      channel: 'C1',
      markdown_text: '**done**',
      metadata: { event_type: 'earshot', event_payload: { key: 'lead:k1', agent: 'lead' } },
      username: 'Lead',
    });
  });

  it.each([
    ['in a thread', { conversationId: '1.1', parentId: 'C1' }, { channel: 'C1', thread_ts: '1.1' }],
    [
      'opening one',
      { conversationId: '1.1', parentId: 'C1', opens: { eventId: 'e1', platformId: '1.1' } },
      { channel: 'C1', thread_ts: '1.1' },
    ],
    ['in the room', { conversationId: 'C1' }, { channel: 'C1' }],
  ])('goes where it belongs: %s', (_, place, wanted) => {
    const posted = postOf(
      message('x', { place: { platform: 'slack', workspaceId: 'T1', ...place } }),
      OPTIONS,
    );
    expect(posted).toMatchObject(wanted);
    expect('thread_ts' in (posted ?? {})).toBe('thread_ts' in wanted);
  });

  it.each([
    [':robot_face:', { icon_emoji: ':robot_face:' }],
    ['https://a.example/lead.png', { icon_url: 'https://a.example/lead.png' }],
    ['javascript:alert(1)', {}],
  ])('has the agent’s icon %s', (icon, wanted) => {
    const posted = postOf(message('x', { persona: { name: 'Lead', icon } }), OPTIONS);
    const { icon_emoji, icon_url } = posted ?? {};
    expect({
      ...(icon_emoji !== undefined && { icon_emoji }),
      ...(icon_url !== undefined && { icon_url }),
    }).toEqual(wanted);
  });

  it('is recognised by its key', () => {
    const { metadata } = postOf(message('x'), OPTIONS) as { metadata: never };
    expect(keyIn({ ts: '1.1', metadata })).toBe('lead:k1');
    expect(
      keyIn({ ts: '1.1', metadata: { event_type: 'other', event_payload: { key: 'lead:k1' } } }),
    ).toBeUndefined();
  });
});

describe('only mentions ping', () => {
  it.each([
    '<!channel> all',
    '<!here|here>',
    '<!subteam^S1|@oncall>',
    '<@U1> look',
    '<@W123ABC|ada>',
    '`<!channel>` in code',
    '```\n<@U1>\n```',
    '&lt;!channel&gt;',
    '&#60;!here>',
    '<!CHANNEL>',
    '@channel @here and @everyone',
  ])('%s', (text) => {
    const harmless = textOf(message(text), OPTIONS);
    expect(harmless).not.toMatch(/(?:<|&lt;|&#60;)[@!]/i);
    expect(harmless).not.toMatch(/@(?:here|channel|everyone)\b/i);
    expect(harmless.replaceAll('\u2060', '')).toBe(text);
  });

  it.each(['<!-- a comment -->', 'a <b> c', 'me@here.example.com', 'https://a.example/@x'])(
    'and %s stays as it is',
    (text) => {
      expect(textOf(message(text), OPTIONS).replaceAll(/@\u2060(?=here)/g, '@')).toBe(text);
    },
  );

  it.each([
    ['@Ada Lovelace look', '<@U1> look'],
    ['look, @ada lovelace.', 'look, <@U1>.'],
    ['look, @U1', 'look, <@U1>'],
    ['look', '<@U1> look'],
    ['<@U1> was forged', '<<@U1>> was forged'],
  ])('a real one is written where it stands: %s', (text, wanted) => {
    expect(textOf(message(text, { mentions: [ada] }), OPTIONS)).toBe(wanted);
  });

  it.each([
    [{ identity: 'agent:builder', name: 'builder', account: 'slack/T1/U5' }, '<@U5> look'],
    [{ identity: 'agent:builder', name: 'builder' }, 'look'],
    [{ identity: 'human:ada@example.com', name: 'ada', account: 'ada@example.com' }, 'look'],
    [{ identity: 'human:!channel', name: 'x', account: '!channel' }, 'look'],
  ])('of %j', (mention, wanted) => {
    expect(textOf(message('look', { mentions: [mention] }), OPTIONS)).toBe(wanted);
  });

  it('plain text is escaped, and its mentions are not', () => {
    const plain = { ...OPTIONS, markdown: false };
    expect(textOf(message('a < b & @Ada Lovelace', { mentions: [ada] }), plain)).toBe('a &lt; b &amp; <@U1>');
    expect(postOf(message('x'), plain)).toMatchObject({ text: 'x' });
  });

  it('leaves room for itself in what Slack takes', () => {
    const pings = '@a '.repeat(MAX_CHARS / 3).slice(0, MAX_CHARS);
    expect(postOf(message('x'.repeat(MAX_CHARS)), OPTIONS)).toBeDefined();
    expect(postOf(message(pings), OPTIONS)).toBeUndefined();
  });
});
