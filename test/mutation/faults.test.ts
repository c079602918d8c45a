// The list of faults is tried in full by `npm run test:long`. Here it is only held against the tree, so that a change of
// a line with a fault in it is noticed at once.
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { readTree } from '../architecture/tree.ts';
import { allCitations } from '../conformance/all-citations.ts';
import type { Requirement } from '../conformance/requirement.ts';
import { REQUIREMENTS } from '../conformance/requirements.ts';
import { citing, complaintsAbout, type Fault, type FaultList, plant, ROWS_MIN, testsOf } from './fault.ts';
import { FAULTS } from './faults.ts';

describe('the faults', () => {
  it('each stand once in the code, for a row that a test cites, and are enough', () => {
    const list = {
      faults: FAULTS,
      requirements: REQUIREMENTS,
      citations: allCitations(),
      files: readTree('src'),
    };
    expect(complaintsAbout(list)).toEqual([]);
  });

  it('each parse', () => {
    const files = new Map(readTree('src').map(({ path, text }) => [path, text]));
    const broken = FAULTS.filter((one) => {
      const { errors } = parseSync(one.file, plant(one, files.get(one.file) ?? ''));
      return errors.length > 0;
    });
    expect(broken).toEqual([]);
  });

  it('are planted in the one place that they name', () => {
    expect(plant(fault('TC/a/b', { from: 'x > 1', to: 'x > 2' }), 'if (x > 1) f();')).toBe('if (x > 2) f();');
    expect(() => plant(fault('TC/a/b', { from: 'x' }), 'x x')).toThrow('exactly once');
    expect(() => plant(fault('TC/a/b', { from: 'x' }), 'y')).toThrow('exactly once');
  });
});

describe('the tests of a row', () => {
  it('are those of the kind that shows it, in this process', () => {
    const citations = ['src/a.test.ts:1', 'test/wire/a.test.ts:2', 'test/browser/a.test.ts:3'].map((at) => ({
      id: 'TC/a/b',
      at,
    }));
    expect(testsOf(row('TC/a/b'), citations)).toEqual(['test/wire/a.test.ts']);
    expect(testsOf({ ...row('TC/a/b'), shown: 'fold' }, citations)).toEqual([
      'src/a.test.ts',
      'test/wire/a.test.ts',
    ]);
  });

  it.each([
    ['does it [TC/a/b]', true],
    ['does it [TC/a/c, TC/a/b]', true],
    ['does it [TC/a/b, TC/a/c]', true],
    ['does it [TC/a/b-c]', false],
    ['does it [C2A-06-02/TC/a/b]', false],
    ['does it TC/a/b', false],
  ])('"%s": %s', (title, cites) => {
    expect(citing('TC/a/b').test(title)).toBe(cites);
  });
});

describe('the check of the list', () => {
  const rows = Array.from({ length: ROWS_MIN }, (_, n) => `TC/a/${n}`);
  const sound: FaultList = {
    faults: rows.map((id) => fault(id)),
    requirements: rows.map((id) => row(id)),
    citations: rows.map((id) => ({ id, at: 'test/wire/a.test.ts:1' })),
    files: [{ path: 'src/a.ts', text: 'if (x) f();' }],
  };
  const [, ...others] = sound.faults;

  it('passes on a sound list', () => {
    expect(complaintsAbout(sound)).toEqual([]);
  });

  it.each<[what: string, list: FaultList, problem: RegExp]>([
    ['an unknown row', { ...sound, requirements: sound.requirements.slice(1) }, /TC\/a\/0: no such row/],
    ['a row without test', { ...sound, citations: sound.citations.slice(1) }, /TC\/a\/0: cited by no test/],
    ['a stale line', { ...sound, faults: [fault('TC/a/0', { from: 'y' }), ...others] }, /stands 0 times/],
    ['an unclear line', { ...sound, faults: [fault('TC/a/0', { from: 'f' }), ...others] }, /stands 2 times/],
    ['no change', { ...sound, faults: [fault('TC/a/0', { to: '(x)' }), ...others] }, /are the same/],
    [
      'a file of tests',
      { ...sound, faults: [fault('TC/a/0', { file: 'test/a.ts' }), ...others] },
      /not code/,
    ],
    ['too few rows', { ...sound, faults: others }, /59 rows have a fault/],
  ])('complains about %s', (_what, list, problem) => {
    expect(complaintsAbout(list).join('\n')).toMatch(problem);
  });
});

function fault(id: string, more: Partial<Fault> = {}): Fault {
  return { row: id, file: 'src/a.ts', from: '(x)', to: '(y)', ...more };
}

function row(id: string): Requirement {
  return { id, text: 'a behaviour', level: 'MUST', source: 'x.txt#X', area: 'host', shown: 'wire' };
}
