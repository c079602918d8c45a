// Every citation in the tests of the tree.
import { isTest, readTree } from '../architecture/tree.ts';
import { type Citation, citationsIn } from './citations.ts';

/** Cites ids only to try the finding of citations. */
const NO_PROOF = 'test/conformance/coverage.test.ts';

/** Finding citations costs some time, so a file without any id is left out first. */
const MAY_CITE = /C2A-\d|TC\/|OBL\//;

export function allCitations(): Citation[] {
  return readTree('src', 'test')
    .filter(({ path, text }) => isTest(path) && path !== NO_PROOF && MAY_CITE.test(text))
    .flatMap(({ path, text }) => citationsIn(path, text));
}
