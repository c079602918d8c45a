// What the models of turns read. Rows are found by their conversation and removed in the order in which they came.
export const prompt = `
CREATE TABLE prompt (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, conversation TEXT NOT NULL, doc TEXT NOT NULL);
CREATE INDEX prompt_by_conversation ON prompt (conversation);
`;
