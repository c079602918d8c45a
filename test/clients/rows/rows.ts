// Every client, in the order of the table.
import type { Client } from '../client.ts';
import { CLAUDE_ROWS } from './claude.ts';
import { CODEX_ROWS } from './codex.ts';
import { GEMINI_ROWS } from './gemini.ts';
import { GOOSE_ROWS } from './goose.ts';
import { LIBRARY_ROWS } from './libraries.ts';
import { OPENCODE_ROWS } from './opencode.ts';
import { OTHER_ROWS } from './others.ts';

export const CLIENTS: readonly Client[] = [
  ...CLAUDE_ROWS,
  ...CODEX_ROWS,
  ...GEMINI_ROWS,
  ...OPENCODE_ROWS,
  ...GOOSE_ROWS,
  ...LIBRARY_ROWS,
  ...OTHER_ROWS,
];
