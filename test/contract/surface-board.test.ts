// The adapter of docs/writing-a-surface.md held to the contract of surfaces, and what its page says about it.
import { readFileSync } from 'node:fs';
import { setTimeout as rest } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { boardSurface } from '../../examples/surface/board.ts';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../src/protocol/glyphs.ts';
import { board, TOKEN } from '../surfaces/board/server.ts';
import { surfaceContract } from './surface-contract.ts';

const MAX_LINES = 200;

surfaceContract('board, as docs/writing-a-surface.md writes it', async (store, clock) => {
  const platform = await board(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  const { entries, proxy, url } = platform;
  return {
    surface: boardSurface({ url, token: TOKEN, clock }),
    place: { platform: 'board', workspaceId: 'main', conversationId: 'dev' },
    async say(_host, text) {
      const eventId = String(platform.say('ada', text));
      for (;;) {
        const row = await store.get('log', eventId);
        if (row !== undefined) return { eventId, status: 'accepted', seq: row.seq };
        await rest(1);
      }
    },
    async shown() {
      const ours = entries.filter(({ by }) => by.isBot);
      return {
        texts: ours.flatMap(({ text }) => text ?? []),
        signals: ours.flatMap(({ emoji }) =>
          emoji === undefined ? [] : (signalOfGlyph(DEFAULT_GLYPHS, emoji) ?? []),
        ),
      };
    },
    async pinged() {
      const ours = entries.flatMap(({ by, text }) => (by.isBot && text !== undefined ? [text] : []));
      return ours.flatMap((text) => prose(text).match(/@\w+/g) ?? []);
    },
    login: { end: () => platform.tokens.clear(), renew: () => platform.tokens.add(TOKEN) },
    faults: {
      proxy,
      isPost: (path) => path === '/messages',
      isFind: (path) => path.startsWith('/messages?key='),
    },
  };
});

/** Without code: Board pings from prose only. */
function prose(text: string): string {
  return text.replaceAll(/```[^]*?```|`[^`\n]*`/g, '');
}

it(`is a surface in at most ${MAX_LINES} lines, and the page shows it as it is`, () => {
  const adapter = readFileSync('examples/surface/board.ts', 'utf8');
  expect(adapter.split('\n').length).toBeLessThanOrEqual(MAX_LINES);
  const page = readFileSync('docs/writing-a-surface.md', 'utf8');
  const blocks = [...page.matchAll(/```ts\n([^]*?)```/g)].map(([, block = '']) => block);
  expect(blocks.length).toBeGreaterThan(4);
  for (const block of blocks) expect(adapter).toContain(block);
});
