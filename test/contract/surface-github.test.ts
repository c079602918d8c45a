// GitHub held to the contract of surfaces: the real SDK against an emulated GitHub, through the fault proxy.
import { onTestFinished } from 'vitest';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../src/protocol/glyphs.ts';
import { BOT, githubHub, REPOSITORY, TOKEN } from '../surfaces/github/hub.ts';
import { githubOver, readable } from '../surfaces/github/subject.ts';
import { receiver } from '../surfaces/receiver.ts';
import { surfaceContract } from './surface-contract.ts';

const GLYPHS: Readonly<Record<string, string>> = { eyes: '👀', '+1': '👍' };

surfaceContract('github, events by webhook', async (store, clock) => {
  const hub = await githubHub(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  const number = await hub.open('ada', 'The build is red');
  const surface = githubOver(hub, clock);
  hub.listen(await receiver(surface));
  // Every other post of ours comes back as an event, so both its ways to be known are tried.
  let posts = 0;
  hub.tells = ({ payload }) => {
    const { login } = payload['sender'] as { login: string };
    return login !== BOT || posts++ % 2 === 0;
  };
  return {
    surface,
    place: {
      platform: 'github',
      workspaceId: '127.0.0.1',
      conversationId: `${REPOSITORY}#${number}`,
      parentId: REPOSITORY,
    },
    async say(_host, text) {
      const eventId = `comment:${await hub.say('ada', number, text)}`;
      const row = await store.get('log', eventId);
      if (row === undefined) throw new Error('GitHub was answered before it was in the log');
      return { eventId, status: 'accepted', seq: row.seq };
    },
    async shown() {
      const comments = await hub.comments(number);
      return {
        texts: comments.flatMap(({ user, body }) => (user.login === BOT ? [readable(body)] : [])),
        signals: hub.reactions.flatMap(({ login, content }) =>
          login === BOT ? (signalOfGlyph(DEFAULT_GLYPHS, GLYPHS[content] ?? '') ?? []) : [],
        ),
      };
    },
    async pinged() {
      const comments = await hub.comments(number);
      return comments.flatMap(({ user, body }) => (user.login === BOT ? mentionsIn(body) : []));
    },
    login: { end: () => void hub.dead.add(TOKEN), renew: () => hub.dead.clear() },
    faults: {
      proxy: hub.proxy,
      // Lists are asked for by a query.
      isPost: (path) => path.endsWith('/comments'),
      isAmend: (path) => /\/issues\/comments\/\d+$/.test(path),
      isFind: (path) => /\/issues\/\d+\/comments\?/.test(path),
    },
  };
});

/** As GitHub reads them: `@login` and `@org/team` in prose, at the start of a word. */
function mentionsIn(body: string): string[] {
  const prose = body.replaceAll(/```[^]*?```|`[^`\n]*`|<!--[^]*?-->/g, '');
  return prose.match(/(?<![\w`/])@[a-z\d](?:[a-z\d/-]*[a-z\d])?/gi) ?? [];
}
