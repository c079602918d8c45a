// Decisions are kept as a line of words (kept-outcome.ts). No table changes, but an Earshot from before would read such rows
// wrongly, so it is not to start on them.
export const keptDecisions = `COMMENT ON COLUMN log.doc IS 'JSON; a decision in it is its words, its facts, and what else it has'`;
