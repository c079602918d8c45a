// How rows are shown: which test files count as the wire, and which MUST and SHOULD rows are not shown there, each with
// the reason. A row about behaviour has no place on that list: a fold that is right proves nothing about what a client
// gets.

/** Test files that go through a real transport against the running host. */
const WIRE_TESTS: readonly RegExp[] = [
  /^test\/wire\//,
  /^test\/server\//,
  /^test\/surfaces\/web\//,
  /^test\/browser\//,
  /^test\/crash\//,
  /^test\/conform-command\//,
  /^test\/mcp\/(?!channel-inbox)/,
  /^test\/runners\/(?:run|webhook|command|acp)\.test/,
  /^test\/agent\/websocket\.test/,
];

export function isWireTest(path: string): boolean {
  return WIRE_TESTS.some((known) => known.test(path));
}

/** MUST and SHOULD rows that are not shown on the wire, and why. */
export const NOT_ON_THE_WIRE: Readonly<Record<string, string>> = {
  'OBL/2/derived-from-log': 'that the log gives the same state again is a promise of the fold alone',
  'OBL/2/no-settable-field': 'that there is no such field is a promise of the schemas',
  'OBL/5/interval-by-mode':
    'this host makes every obligation buffered, so the table of intervals is seen in the fold alone',
  'TC/decision/spelled-once': 'a promise about the source: one list that everything else uses',
  'TC/rules/pure': 'purity is a promise of the fold alone',
};
