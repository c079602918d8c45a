// The whole prompt of twelve rooms, as a model reads it, kept in files beside this test and reviewed like code. To record
// them anew: EARSHOT_RECORD_PROMPTS=1 npx vitest run test/prompts. Read the difference line by line.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { promptsOf, ROOM_NAMES } from './rooms.ts';

const RECORD = process.env['EARSHOT_RECORD_PROMPTS'] === '1';
const FOLDER = import.meta.dirname;

describe('the prompt of', () => {
  it.each(ROOM_NAMES)('%s is as recorded', async (name) => {
    const file = join(FOLDER, `${name}.txt`);
    const prompts = await promptsOf(name);
    if (RECORD) writeFileSync(file, prompts);
    expect(prompts).toBe(readFileSync(file, 'utf8'));
  });

  it('every recorded room is played', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.txt'));
    expect(files.toSorted()).toEqual(ROOM_NAMES.map((name) => `${name}.txt`).toSorted());
  });

  it.each(ROOM_NAMES)('%s begins with the same bytes in every turn, until somebody joins', (name) => {
    const turns = readFileSync(join(FOLDER, `${name}.txt`), 'utf8').split(/^===== \d+ =====\n/m);
    const prefixes = turns.filter((turn) => turn.startsWith('C2A RESPONSE RULES')).map(prefixOf);
    const people = prefixes.map((prefix) => (prefix.match(/^- (?:human|agent):/gm) ?? []).length);
    for (const [index, prefix] of prefixes.entries())
      if (index > 0 && people[index] === people[index - 1]) expect(prefix).toBe(prefixes[index - 1]);
  });
});

/** Everything before the user turn: the rules, who the agent is, and who is here. */
function prefixOf(turn: string): string {
  return /^[\s\S]*?\nHERE [^\n]*\n(?:- [^\n]*\n)*/.exec(turn)?.[0] ?? '';
}
