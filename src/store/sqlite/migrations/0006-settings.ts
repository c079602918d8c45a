// The versions of the settings. They are read in the order in which they came, newest first, and there are few.
export const settings = `
CREATE TABLE settings (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
`;
