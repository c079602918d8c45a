// Files that agents send. A row is found by its id alone, so the table has no index.
export const files = `
CREATE TABLE file (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
`;
