// How rows keep what was decided: ten words in one line, the facts, and what few decisions have besides. With the name of
// each field it was half of a log row and of a delivery. Rows of before have the object itself, and are read as well.

/** The part of a decision that everybody who reads rows knows. `Decision` of the attention engine says what it means. */
export interface Outcome {
  decision: string;
  directedness: string;
  policy: string;
  mode: string;
  context: string;
  reason: string;
  intent: string;
  priority: string;
  claimFirst?: true;
  trace: { rung: string; row: string; facts: object };
}

/** `more` has the fields that are not words, and what else the trace has. */
export type KeptOutcome = readonly [words: string, facts: object, more?: object];

export function keepOutcome(outcome: Outcome): KeptOutcome {
  const { decision, directedness, policy, mode, context, reason, intent, priority, trace, ...fields } =
    outcome;
  const { rung, row, facts, ...traced } = trace;
  const said = [decision, directedness, policy, mode, context, reason, intent, priority, rung, row];
  const more = isEmpty(traced) ? fields : { ...fields, trace: traced };
  return Object.freeze(isEmpty(more) ? [said.join(' '), facts] : [said.join(' '), facts, more]);
}

export function outcomeOf(kept: KeptOutcome | Outcome): Outcome {
  if (!isKept(kept)) return kept;
  const [words, facts, more] = kept;
  const { said, rung, row } = readWords(words);
  if (more === undefined) return { ...said, trace: { rung, row, facts } };
  const { trace, ...fields } = more as { trace?: object };
  return { ...said, ...fields, trace: { rung, row, facts, ...trace } };
}

interface Words {
  said: Omit<Outcome, 'trace' | 'claimFirst'>;
  rung: string;
  row: string;
}

/** There are a few hundred lines of words. Whoever wrote others by hand only makes reading them slower. */
const READ_MAX = 1_024;
const read = new Map<string, Words>();

function readWords(line: string): Words {
  const known = read.get(line);
  if (known !== undefined) return known;
  const words = line.split(' ');
  const [decision = '', directedness = '', policy = '', mode = '', context = ''] = words;
  const [reason = '', intent = '', priority = '', rung = '', row = ''] = words.slice(5);
  const said = { decision, directedness, policy, mode, context, reason, intent, priority };
  const made: Words = { said, rung, row };
  if (read.size >= READ_MAX) read.clear();
  read.set(line, made);
  return made;
}

function isKept(kept: KeptOutcome | Outcome): kept is KeptOutcome {
  return Array.isArray(kept);
}

function isEmpty(fields: object): boolean {
  for (const _ in fields) return false;
  return true;
}
