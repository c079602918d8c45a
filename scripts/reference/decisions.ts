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

[concepts.md](../concepts.md) explains it; these are the tables themselves, as \`earshot why\` names them. Before them, a
pairing code is taken in by the host, and an author who may not talk to the agent is \`denied\`.

## The ladder

Is this for the agent? From the top; the first rule that holds decides. In the mode \`mention_only\`, and when a message is
edited, only the rules marked _kept_ are looked at.

${table(['rule', 'id', 'directedness', 'kept', 'holds when'], rungs)}
A fragment (7) takes the decision of the message it continues. A log line, and anything in a conversation of kind \`system\` or
\`tool\`, is aimed by rules 0, 1, 2, 4 and 6 alone.

## The policy table

What may be done about it? From the top; the first row whose condition holds decides. The last one always does.

${table(['row', 'policy', 'mode', 'because'], rows)}
## What may still lower it

Never raise it.

${table(['id', 'because'], lowerings)}`;
}
