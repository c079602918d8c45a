import { describe, expect, it } from 'vitest';
import { readText } from './read-text.ts';

const PEOPLE: Record<string, { name: string; isBot: boolean }> = {
  U1: { name: 'Ada Lovelace', isBot: false },
  U9: { name: 'earshot', isBot: true },
};
const nameOf = (id: string) => PEOPLE[id];

describe('the text of a message, as people read it', () => {
  it.each([
    ['<@U1> can you look?', '@Ada Lovelace can you look?', [{ kind: 'human', id: 'U1' }]],
    ['<@U9> and <@U9|earshot>', '@earshot and @earshot', [{ kind: 'agent', id: 'U9' }]],
    ['<@U7|bob> knows', '@bob knows', [{ kind: 'human', id: 'U7' }]],
    ['<@U7> knows', '@U7 knows', [{ kind: 'human', id: 'U7' }]],
    ['<!here> lunch', '@here lunch', [{ kind: 'broadcast', id: 'here' }]],
    ['<!channel|channel> lunch', '@channel lunch', [{ kind: 'broadcast', id: 'channel' }]],
    ['<!subteam^S1|@oncall> help', '@oncall help', [{ kind: 'role', id: 'S1' }]],
    ['<!subteam^S1> help', '@S1 help', [{ kind: 'role', id: 'S1' }]],
    ['see <#C1|dev> and <#C2>', 'see #dev and #C2', []],
    ['at <!date^1712345678^{date}|Friday>', 'at Friday', []],
    ['<https://a.example/x?y=1&amp;z=2>', 'https://a.example/x?y=1&z=2', []],
    ['<https://a.example|the page>', 'the page (https://a.example)', []],
    ['<mailto:a@b.example|a@b.example>', 'a@b.example', []],
    ['a &lt;b&gt; &amp;amp; c', 'a <b> &amp; c', []],
    ['typed @Ada and &lt;@U1&gt; in words', 'typed @Ada and <@U1> in words', []],
    ['x < y and <nothing of Slack>', 'x < y and <nothing of Slack>', []],
    ['日本語 <@U1>さん 👍', '日本語 @Ada Lovelaceさん 👍', [{ kind: 'human', id: 'U1' }]],
  ])('%s', (raw, text, mentions) => {
    expect(readText(raw, nameOf)).toEqual({ text, mentions });
  });

  it('names at most 64 of those it mentions', () => {
    const raw = Array.from({ length: 100 }, (_, n) => `<@U${n}>`).join(' ');
    expect(readText(raw, nameOf).mentions).toHaveLength(64);
  });
});
