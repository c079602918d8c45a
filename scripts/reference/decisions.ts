// docs/reference/decisions.md: the ladder, the policy table and what may lower an outcome, from the engine's own
// tables.
import { LADDER } from '../../src/attention/directedness.ts';
import { MATRIX } from '../../src/attention/matrix.ts';
import { LOWERING_WORDS, ROW_WORDS, RUNG_WORDS } from '../../src/attention/trace-words.ts';
import { code, GENERATED, table } from './markdown.ts';

export function decisionsPage(): string {
  const rungs = LADDER.map(({ number, id, directedness, explicit }) => [
    String(number),
    code(id),
    code(directedness),
    explicit ? 'yes' : '',
    RUNG_WORDS[id].holds,
  ]);
  const rows = MATRIX.map(({ id, policy, mode }) => [code(id), code(policy), code(mode), ROW_WORDS[id]]);
  const lowerings = Object.entries(LOWERING_WORDS).map(([id, words]) => [code(id), words]);
  return `${GENERATED}
# How a decision is made

[concepts.md](../concepts.md) explains how Earshot decides. These are its tables; \`earshot why\` uses the same names. Two
things come before the tables: the host consumes a pairing code, and an author who may not talk to the agent is \`denied\`.

## The ladder

Is the message for the agent? Earshot checks the rules from the top, and the first that holds decides. In the mode
\`mention_only\`, and when a message is edited, only the rules marked _kept_ count.

${table(['rule', 'id', 'directedness', 'kept', 'holds when'], rungs)}
A fragment (7) gets the decision of the message that it continues. For a log line, and for anything in a conversation of
kind \`system\` or \`tool\`, only rules 0, 1, 2, 4 and 6 count.

## The policy table

What may the agent do about the message? Earshot checks the rows from the top, and the first whose condition holds
decides. The last row always holds.

${table(['row', 'policy', 'mode', 'because'], rows)}
## What may still lower it

Nothing after the policy table raises a policy. These may lower it.

${table(['id', 'because'], lowerings)}`;
}
