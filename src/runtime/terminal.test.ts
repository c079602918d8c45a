// Colours only where wanted, widths by what is seen, progress only for a watcher.
import { describe, expect, it } from 'vitest';
import { VirtualClock } from './clock.ts';
import { columnsOf, cutToWidth, displayWidth, painter, progressLine, wantsColours } from './terminal.ts';

it.each([
  [{ isTTY: true }, {}, true],
  [{}, {}, false],
  [{ isTTY: true }, { NO_COLOR: '1' }, false],
  [{ isTTY: true }, { NO_COLOR: '' }, true],
  [{}, { FORCE_COLOR: '1' }, true],
  [{}, { FORCE_COLOR: '0' }, false],
  [{ isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
])('colours on %j with %j: %s', (stream, env, expected) => {
  expect(wantsColours(stream, env)).toBe(expected);
});

it.each([
  [{ columns: 120 }, 120],
  [{ columns: 0 }, 80],
  [{}, 80],
  [{ columns: 3 }, 40],
])('writes in %j as %i columns', (stream, expected) => {
  expect(columnsOf(stream, 80)).toBe(expected);
});

it('paints, or leaves the text alone', () => {
  expect(painter(true)('green', 'x')).toBe('\u001B[32mx\u001B[39m');
  expect(painter(false)('green', 'x')).toBe('x');
});

it.each([
  ['plain', 10, 'plain'],
  ['plain text', 6, 'plain…'],
  ['빌드가 실패', 7, '빌드가…'],
  ['👩‍👩‍👧 family', 4, '👩‍👩‍👧…'],
])('cuts %j to %i columns', (text, columns, expected) => {
  const cut = cutToWidth(text, columns);
  expect(cut).toBe(expected);
  expect(displayWidth(cut)).toBeLessThanOrEqual(columns);
});

function watch(isTTY: boolean) {
  const clock = new VirtualClock();
  let written = '';
  const line = progressLine({ isTTY, columns: 40, write: (text: string) => (written += text) }, clock);
  return { clock, line, written: () => written };
}

describe('the progress line', () => {
  it('waits a second, then shows at most ten times a second, and clears itself', () => {
    const { clock, line, written } = watch(true);
    line.show(() => 'early');
    clock.advance(1_000);
    line.show(() => 'half');
    clock.advance(50);
    line.show(() => 'too soon');
    line.clear();
    line.clear();
    expect(written()).toBe('\r\u001B[2Khalf\r\u001B[2K');
  });

  it('says nothing without a terminal', () => {
    const { clock, line, written } = watch(false);
    clock.advance(5_000);
    line.show(() => 'x');
    line.clear();
    expect(written()).toBe('');
  });
});
