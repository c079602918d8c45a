// The first schema. `position` is the rowid, so every index ends in it and rows lie in order of insertion. Indexed
// fields are columns, `doc` is the whole row as JSON. Never edit a migration that has run: add the next number.
const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE log (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  conversation TEXT NOT NULL, seq INTEGER NOT NULL, doc TEXT NOT NULL);
CREATE INDEX log_by_conversation ON log (conversation, seq);

CREATE TABLE delivery (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  agent TEXT NOT NULL, open INTEGER NOT NULL, conversation TEXT NOT NULL, source TEXT NOT NULL,
  state TEXT NOT NULL, due_at INTEGER, doc TEXT NOT NULL);
CREATE INDEX delivery_open_by_agent ON delivery (agent, open);
CREATE INDEX delivery_by_agent_conversation ON delivery (agent, conversation, open);
CREATE INDEX delivery_by_source ON delivery (source);
CREATE INDEX delivery_by_due ON delivery (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_by_state ON delivery (state);

CREATE TABLE outbox (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,
  due_at INTEGER, surface TEXT NOT NULL, state TEXT NOT NULL, agent TEXT NOT NULL,
  conversation TEXT NOT NULL, event_id TEXT NOT NULL, turn_id TEXT, doc TEXT NOT NULL);
CREATE INDEX outbox_by_due ON outbox (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_surface ON outbox (surface, state);
CREATE INDEX outbox_by_agent_conversation ON outbox (agent, conversation);
CREATE INDEX outbox_by_event ON outbox (event_id);
CREATE INDEX outbox_by_turn ON outbox (turn_id) WHERE turn_id IS NOT NULL;

CREATE TABLE session (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
CREATE TABLE token (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
CREATE TABLE pairing (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
CREATE TABLE "grant" (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
CREATE TABLE cursor (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);
CREATE TABLE audit (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, doc TEXT NOT NULL);

CREATE TABLE offer (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, due_at INTEGER, doc TEXT NOT NULL);
CREATE INDEX offer_by_due ON offer (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE inbox (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, open INTEGER NOT NULL,
  doc TEXT NOT NULL);
CREATE INDEX inbox_by_open ON inbox (open);

CREATE TABLE signal (position INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, event_id TEXT NOT NULL,
  doc TEXT NOT NULL);
CREATE INDEX signal_by_event ON signal (event_id);

CREATE TABLE state (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, wake_at INTEGER, text TEXT NOT NULL);
CREATE INDEX state_by_wake ON state (wake_at, key) WHERE wake_at IS NOT NULL;
`;

// What the search index must look at again: written only when a logged row is scrubbed or removed.
const LOG_CHANGES = `
CREATE TABLE log_change (id INTEGER PRIMARY KEY AUTOINCREMENT, position INTEGER NOT NULL);
CREATE TRIGGER log_updated AFTER UPDATE OF doc ON log BEGIN
  INSERT INTO log_change (position) VALUES (old.position);
END;
CREATE TRIGGER log_removed AFTER DELETE ON log BEGIN
  INSERT INTO log_change (position) VALUES (old.position);
END;
`;

export const tables = TABLES + LOG_CHANGES;
