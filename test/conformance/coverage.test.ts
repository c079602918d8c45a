// Fails on a requirement that no test cites, unless pending.ts lists it for an area that is not built yet.
// The check and the finding of citations are tried on planted lists first, so that a green run means something.
import { describe, expect, it } from 'vitest';
import { allCitations } from './all-citations.ts';
import { citationsIn } from './citations.ts';
import { type Coverage, describeFindings, findings, ROWS_MIN } from './coverage.ts';
import { BUILT_AREAS, PENDING } from './pending.ts';
import { AREAS, type Requirement, SHOWN } from './requirement.ts';
import { REQUIREMENTS } from './requirements.ts';
import { isWireTest, NOT_ON_THE_WIRE } from './shown.ts';

describe('the requirements', () => {
  it('are each cited by a test or pending for an area not built yet', () => {
    const found = findings({
      requirements: REQUIREMENTS,
      citations: allCitations(),
      pending: PENDING,
      built: BUILT_AREAS,
      isWireTest,
      notOnTheWire: NOT_ON_THE_WIRE,
    });
    if (found.length > 0) expect.fail(describeFindings(found));
  });

  it('are well formed: a readable id, a text of its own, a source heading, a known area', () => {
    const ill = REQUIREMENTS.filter(
      ({ id, text, source, area, shown }) =>
        !/^(?:C2A-06-02|C2A-06-24|TC|OBL)\/[a-z0-9-]+\/[a-z0-9-]+$/.test(id) ||
        text.length < 10 ||
        !/^[a-z0-9-]+\.(?:txt|md)#.+$/.test(source) ||
        !AREAS.includes(area) ||
        !SHOWN.includes(shown),
    );
    expect(ill).toEqual([]);
  });
});

describe('citations', () => {
  it.each([
    ['a title', "it('answers [TC/a/b]', f);", ['TC/a/b']],
    [
      'several ids',
      "it('answers [TC/a/b, OBL/1/c] and [C2A-06-02/d/e]', f);",
      ['TC/a/b', 'OBL/1/c', 'C2A-06-02/d/e'],
    ],
    ['describe and test', 'describe(\'x [TC/a/b]\', f); test("y [TC/a/c]", f);', ['TC/a/b', 'TC/a/c']],
    ['each', "it.each([['x', (a)]])('answers $a [TC/a/b]', f);", ['TC/a/b']],
    ['each with types', "it.each<Case<string>>(CASES)(\n  'answers [TC/a/b]', f);", ['TC/a/b']],
    ['an each table', 'it.each`a\n${1}`("answers [TC/a/b]", f);', ['TC/a/b']],
    ['a modifier', "describe.concurrent('x [TC/a/b]', f);", ['TC/a/b']],
    ['a template title', 'it(`answers ${name} [TC/a/b]`, f);', ['TC/a/b']],
    ['an apostrophe in a title', 'it("the author\'s \\"x\\" [TC/a/b]", f);', ['TC/a/b']],
    [
      'a case field',
      "const cases = [{ req: 'TC/a/b' }, { req: ['TC/a/c', `OBL/1/d`] }];",
      ['TC/a/b', 'TC/a/c', 'OBL/1/d'],
    ],
    ['a wrong id', "it('x [C2A-06-02]', f);", ['C2A-06-02']],
    ['other brackets', "it('takes [lead] and [1, 2]', f);", []],
    ['a comment', "// it('x [TC/a/b]')\n/* req: 'TC/a/b' */", []],
    ['another string', "const s = \"it('x [TC/a/b]')\"; expect('[TC/a/b]');", []],
    ['another call', "commit('x [TC/a/b]'); suite.it('x [TC/a/b]');", []],
  ])('are found in %s', (_form, text, ids) => {
    expect(citationsIn('x.test.ts', text).map(({ id }) => id)).toEqual(ids);
  });

  it('say where they stand', () => {
    expect(citationsIn('x.test.ts', "\n\nit('x [TC/a/b]', f);")).toEqual([
      { id: 'TC/a/b', at: 'x.test.ts:3' },
    ]);
  });
});

function row(id: string, area: Requirement['area'], more: Partial<Requirement> = {}): Requirement {
  return { id, text: 'a behaviour', level: 'MUST', source: 'x.txt#X', area, shown: 'wire', ...more };
}

describe('the coverage check', () => {
  const filler = Array.from({ length: ROWS_MIN }, (_, index) => row(`TC/filler/${index}`, 'attention'));
  const sound: Coverage = {
    requirements: [...filler, row('TC/a/done', 'attention'), row('TC/a/later', 'host')],
    citations: [...filler, { id: 'TC/a/done' }].map(({ id }) => ({ id, at: 'test/wire/x.test.ts:1' })),
    pending: { host: ['TC/a/later'] },
    built: ['attention'],
    isWireTest,
    notOnTheWire: {},
  };
  const cite = (id: string) => ({ ...sound, citations: [...sound.citations, { id, at: 'y.test.ts:2' }] });

  it('accepts a sound list', () => {
    expect(findings(sound)).toEqual([]);
  });

  const broken: [string, Coverage, RegExp, string][] = [
    ['an uncited row', { ...sound, pending: {} }, /cited by no test/, 'TC/a/later (host)'],
    ['an unknown citation', cite('TC/a/dnoe'), /not in requirements/, 'TC/a/dnoe (y.test.ts:2)'],
    ['a cited pending row', cite('TC/a/later'), /take it off pending/, 'TC/a/later (y.test.ts:2)'],
    [
      'a pending row of a built area',
      { ...sound, built: ['attention', 'host'] },
      /area that is built/,
      'TC/a/later',
    ],
    [
      'an unknown pending row',
      { ...sound, pending: { host: ['TC/a/later', 'TC/a/x'] } },
      /take it off/,
      'TC/a/x',
    ],
    [
      'a pending row under a wrong area',
      { ...sound, pending: { store: ['TC/a/later'] } },
      /another area/,
      'TC/a/later (store, its row says host)',
    ],
    [
      'a pending row listed twice',
      { ...sound, pending: { host: ['TC/a/later', 'TC/a/later'] } },
      /listed twice/,
      'TC/a/later',
    ],
    [
      'an id used twice',
      { ...sound, requirements: [...sound.requirements, row('TC/a/done', 'host')] },
      /used twice/,
      'TC/a/done',
    ],
    [
      'a wire row that only a fold test cites',
      {
        ...sound,
        requirements: [...sound.requirements, row('TC/a/fold', 'attention')],
        citations: [...sound.citations, { id: 'TC/a/fold', at: 'test/attention/x.test.ts:1' }],
      },
      /no test that goes through a real transport/,
      'TC/a/fold',
    ],
    [
      'a binding row that is not shown on the wire',
      {
        ...sound,
        requirements: [...sound.requirements, row('TC/a/fold', 'attention', { shown: 'fold' })],
        citations: [...sound.citations, { id: 'TC/a/fold', at: 'test/attention/x.test.ts:1' }],
      },
      /binding, but not shown on the wire/,
      'TC/a/fold (fold)',
    ],
    [
      'a needless reason',
      { ...sound, notOnTheWire: { 'TC/a/done': 'it is on the wire' } },
      /without need/,
      'TC/a/done',
    ],
    [
      'too few rows',
      { ...sound, requirements: sound.requirements.slice(5) },
      /fewer than/,
      `${ROWS_MIN - 3} rows`,
    ],
  ];
  it.each(broken)('complains about %s', (_what, coverage, problem, id) => {
    const found = findings(coverage);
    expect(found.find((finding) => problem.test(finding.problem))?.ids).toContain(id);
    expect(describeFindings(found)).toContain(id);
  });
});
