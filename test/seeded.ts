// Runs before every test file: fast-check draws from the seed of this run.
import fc from 'fast-check';
import { SEED } from './long.ts';

fc.configureGlobal({ seed: SEED });
