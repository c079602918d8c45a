// The source's own id, for the few events whose event id is another one. Only those are in the index, so every other
// event costs no more than before. Older events have the id that their source gave them.
export const sourceId = `
ALTER TABLE log ADD COLUMN source_id TEXT;
CREATE INDEX log_by_source_id ON log (source_id) WHERE source_id IS NOT NULL;
`;
