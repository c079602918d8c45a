import { describe, expect, it } from 'vitest';
import { readTree } from '../../test/architecture/tree.ts';
import { DEFAULT_GLYPHS, defaultGlyph } from './glyphs.ts';
import { TOOLS } from './tools.ts';
import { INBOUND_DECISIONS, SIGNAL_DISPOSITIONS, SIGNALS } from './vocabulary.ts';

/** The tables of both drafts, row by row; ✋ ✅ ❓ are lost in our copy of the first and stand in the second. */
const TABLE = [
  {
    req: ['C2A-06-02/signal/seen', 'C2A-06-24/signal/seen'],
    signal: 'seen',
    glyph: '👀',
    disposition: 'acknowledged',
  },
  {
    req: ['C2A-06-02/signal/agree', 'C2A-06-24/signal/agree'],
    signal: 'agree',
    glyph: '👍',
    disposition: 'acknowledged',
  },
  {
    req: ['C2A-06-02/signal/working', 'C2A-06-24/signal/working'],
    signal: 'working',
    glyph: '🔧',
    disposition: 'claimed',
  },
  {
    req: ['C2A-06-02/signal/queued', 'C2A-06-24/signal/queued'],
    signal: 'queued',
    glyph: '🕐',
    disposition: 'deferred',
  },
  {
    req: ['C2A-06-02/signal/claimed', 'C2A-06-24/signal/claimed'],
    signal: 'claimed',
    glyph: '✋',
    disposition: 'claimed',
  },
  {
    req: ['C2A-06-02/signal/done', 'C2A-06-24/signal/done'],
    signal: 'done',
    glyph: '✅',
    disposition: 'responded',
  },
  {
    req: ['C2A-06-02/signal/declined', 'C2A-06-24/signal/declined'],
    signal: 'declined',
    glyph: '🙅',
    disposition: 'ignored',
  },
  {
    req: ['C2A-06-02/signal/blocked', 'C2A-06-24/signal/blocked'],
    signal: 'blocked',
    glyph: '🚧',
    disposition: 'deferred',
  },
  {
    req: ['C2A-06-02/signal/unclear', 'C2A-06-24/signal/unclear'],
    signal: 'unclear',
    glyph: '❓',
    disposition: null,
  },
] as const;

describe('signals', () => {
  it.each(TABLE)('$signal is $glyph and gives $disposition', ({ signal, glyph, disposition }) => {
    expect(SIGNAL_DISPOSITIONS[signal]).toBe(disposition);
    expect(defaultGlyph(signal)).toBe(glyph);
    expect(DEFAULT_GLYPHS[signal]).toEqual([glyph]);
  });

  it("are those of the drafts' tables and no others", () => {
    expect(SIGNALS).toEqual(TABLE.map(({ signal }) => signal));
  });

  it.each(['seen', 'queued', 'done'])(
    '%s can be sent as a reaction [C2A-06-02/minimal/6-signals]',
    (signal) => {
      expect(TOOLS['chat.react'].input.parse({ inReplyTo: 'evt_1', signal })).toEqual({
        inReplyTo: 'evt_1',
        signal,
      });
    },
  );
});

describe('the four inbound decisions', () => {
  const WORD = "'(?:engage|observe|denied|claim)'";
  /** Two of the words side by side, in a list or a union. */
  const LISTED = new RegExp(`${WORD}\\s*[|,]\\s*${WORD}`);

  it('are listed in the vocabulary and nowhere else [TC/decision/spelled-once]', () => {
    expect(INBOUND_DECISIONS).toEqual(['engage', 'observe', 'denied', 'claim']);
    const spelling = readTree('src').filter(
      ({ path, text }) => !path.endsWith('.test.ts') && LISTED.test(text),
    );
    expect(spelling.map(({ path }) => path)).toEqual(['src/protocol/vocabulary.ts']);
  });
});
