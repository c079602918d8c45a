import { describe, expect, it } from 'vitest';
import { readTree } from '../../test/architecture/tree.ts';
import { delivery } from './delivery.fixture.ts';
import { DEFAULT_GLYPHS, defaultGlyph, type GlyphRemap, remapGlyphs, signalOfGlyph } from './glyphs.ts';
import { project } from './project.ts';
import { TOOLS } from './tools.ts';
import { PROTOCOL_VERSIONS, SIGNALS } from './vocabulary.ts';

/** Lists of what people say, in which an emoji is a word. */
const WORD_LISTS = ['src/agent/answer.ts', 'src/attention/intent/words/symbols.ts'];

describe('glyphs', () => {
  it('are written in one file and nowhere else', () => {
    const glyphs = SIGNALS.map(defaultGlyph);
    const writing = readTree('src').filter(
      ({ path, text }) =>
        !/\.(?:test|fixture)\.ts$/.test(path) && glyphs.some((glyph) => text.includes(glyph)),
    );
    expect(writing.map(({ path }) => path).toSorted()).toEqual(
      [...WORD_LISTS, 'src/protocol/glyphs.ts'].toSorted(),
    );
  });

  it.each(SIGNALS)('reads the default glyph of %s back', (signal) => {
    expect(signalOfGlyph(DEFAULT_GLYPHS, defaultGlyph(signal))).toBe(signal);
  });

  it.each([
    ['✋🏽', 'claimed'],
    ['✋\uFE0F', 'claimed'],
    ['👍🏿', 'agree'],
    ['🎉', undefined],
    ['', undefined],
  ])('reads %s as %s whatever skin tone and presentation', (glyph, signal) => {
    expect(signalOfGlyph(DEFAULT_GLYPHS, glyph)).toBe(signal);
  });

  it('shows the first glyph of a remap and understands its aliases', () => {
    const remapped = remapGlyphs({ done: ['🎉', ':tada:', '✅'] });
    if (!remapped.ok) throw new Error(remapped.problem);
    expect(remapped.glyphs.done[0]).toBe('🎉');
    expect(signalOfGlyph(remapped.glyphs, ':tada:')).toBe('done');
    expect(remapped.glyphs.seen).toEqual(['👀']);
  });

  it('are of no concern to an agent, who reads and writes the same signal in every workspace [C2A-06-02/signal/agents-see-signals, C2A-06-24/signal/agents-see-signals]', () => {
    const remapped = remapGlyphs({ done: '🎉' });
    if (!remapped.ok) throw new Error(remapped.problem);
    const workspaces = [DEFAULT_GLYPHS, remapped.glyphs];
    expect(workspaces.map(({ done }) => done[0])).toEqual(['✅', '🎉']);
    for (const version of PROTOCOL_VERSIONS) {
      const [one, other] = workspaces.map((glyphs) => {
        const signal = signalOfGlyph(glyphs, glyphs.done[0]);
        if (signal === undefined) throw new Error('no signal');
        const reaction = { targetEventId: 'evt_9', signal };
        return project(delivery({ reaction }), {
          protocolVersion: version,
          capabilities: { obligations: false },
        });
      });
      expect(one).toMatchObject({ reaction: { signal: 'done' } });
      expect(other).toEqual(one);
    }
    const written = TOOLS['chat.react'].input.parse({ inReplyTo: 'evt_9', signal: 'done' });
    expect(workspaces.map((glyphs) => glyphs[written.signal][0])).toEqual(['✅', '🎉']);
  });

  it('lets two signals swap glyphs [C2A-06-02/signal/glyphs-remapped]', () => {
    expect(remapGlyphs({ seen: '👍', agree: '👀' })).toMatchObject({ ok: true });
  });

  it('lets a later remap replace an earlier one', () => {
    expect(remapGlyphs({ done: '🎉' }, { done: '🏁' })).toMatchObject({ glyphs: { done: ['🏁'] } });
  });

  it.each<[string, GlyphRemap[], string]>([
    ['an unknown signal', [{ sceen: '👁' }], '"sceen" is not a signal; use one of seen, agree,'],
    ['an inherited name', [{ toString: '👁' }], '"toString" is not a signal'],
    ['a glyph given twice', [{ done: '🎉', agree: '🎉' }], '"🎉" stands for both "agree" and "done"'],
    ['a glyph that is another default', [{ seen: '👍' }], 'stands for both "seen" and "agree"'],
    ['an alias that is another default', [{ seen: ['👀', '✅'] }], 'stands for both "seen" and "done"'],
    [
      'a glyph taken by the workspace',
      [{ done: '🎉' }, { agree: '🎉' }],
      'stands for both "agree" and "done"',
    ],
    ['an empty glyph', [{ seen: ' ' }], '"seen" has an empty glyph'],
    ['an empty list', [{ seen: [] }], '"seen" has an empty glyph'],
  ])('refuses %s and says why', (_, remaps, problem) => {
    expect(remapGlyphs(...remaps)).toMatchObject({ ok: false, problem: expect.stringContaining(problem) });
  });
});
