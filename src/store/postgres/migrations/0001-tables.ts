// The first schema. Keys and indexed text compare by bytes (COLLATE "C"), as in the other stores. `version` is the id of
// the transaction that wrote the row: a count would repeat when a row is removed and made again. Fillfactor 60 leaves room
// on the page, so that a changed row stays there and no index is touched (HOT): 70% of the updates with it, 26% at 80.
// Never edit a migration that has run: add the next number.
const NODES = `
CREATE TABLE meta (name text COLLATE "C" PRIMARY KEY, value double precision NOT NULL);

CREATE TABLE node (id text COLLATE "C" PRIMARY KEY, epoch bigint NOT NULL, batch bigint NOT NULL, until timestamptz,
  url text, version text, config text, draining boolean NOT NULL DEFAULT false) WITH (fillfactor = 20);
CREATE TABLE lease (name text COLLATE "C" PRIMARY KEY, node text COLLATE "C" NOT NULL, epoch bigint NOT NULL,
  until timestamptz NOT NULL);
`;

const STATES = `
CREATE TABLE state (key text COLLATE "C" PRIMARY KEY, version bigint NOT NULL, wake_at double precision,
  text text NOT NULL) WITH (fillfactor = 60);
ALTER TABLE state ALTER COLUMN text SET STORAGE MAIN;
CREATE INDEX state_by_wake ON state (wake_at, key) WHERE wake_at IS NOT NULL;
`;

const LOG = `
CREATE TABLE log (position bigint PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL,
  source_id text COLLATE "C", conversation text COLLATE "C" NOT NULL, seq bigint NOT NULL,
  at double precision NOT NULL, doc text NOT NULL);
CREATE INDEX log_by_conversation ON log (conversation, seq, position);
CREATE INDEX log_by_time ON log (at, position);
CREATE INDEX log_by_source_id ON log (source_id, position) WHERE source_id IS NOT NULL;

CREATE TABLE said (position bigint PRIMARY KEY, words tsvector NOT NULL);
CREATE INDEX said_words ON said USING gin (words);
CREATE TABLE log_change (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, position bigint NOT NULL);
CREATE TABLE said_up_to (position bigint NOT NULL, changes bigint NOT NULL);
INSERT INTO said_up_to VALUES (0, 0);
`;

// No index names a column that changes while a delivery is open: `state` stands in `ended` only once it is final. So an
// accepted delivery touches no index. `ready` is the position at which it last became due to be handed.
const DELIVERY = `
CREATE TABLE delivery (position bigint PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL,
  agent text COLLATE "C" NOT NULL, conversation text COLLATE "C" NOT NULL, source text COLLATE "C" NOT NULL,
  open smallint NOT NULL, state text COLLATE "C" NOT NULL, ended text COLLATE "C", ready bigint,
  due_at double precision, doc text NOT NULL) WITH (fillfactor = 60);
CREATE INDEX delivery_by_agent ON delivery (agent, position);
CREATE INDEX delivery_open_by_agent ON delivery (agent, position) WHERE open = 1;
CREATE INDEX delivery_ready ON delivery (agent, ready) WHERE open = 1;
CREATE INDEX delivery_by_agent_conversation ON delivery (agent, conversation, position);
CREATE INDEX delivery_by_source ON delivery (source, position);
CREATE INDEX delivery_by_due ON delivery (due_at, position) WHERE due_at IS NOT NULL;
CREATE INDEX delivery_ended ON delivery (ended, position) WHERE ended IS NOT NULL;
`;

const OUTBOX = `
CREATE TABLE outbox (position bigint PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE, version bigint NOT NULL,
  agent text COLLATE "C" NOT NULL, conversation text COLLATE "C" NOT NULL, surface text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL, event_id text COLLATE "C" NOT NULL, turn_id text COLLATE "C",
  due_at double precision, doc text NOT NULL) WITH (fillfactor = 60);
CREATE INDEX outbox_by_due ON outbox (due_at, position) WHERE due_at IS NOT NULL;
CREATE INDEX outbox_by_surface ON outbox (surface, state, position);
CREATE INDEX outbox_by_agent_conversation ON outbox (agent, conversation, position);
CREATE INDEX outbox_by_event ON outbox (event_id, position);
CREATE INDEX outbox_by_turn ON outbox (turn_id, position) WHERE turn_id IS NOT NULL;
`;

function plain(table: string, columns = ''): string {
  return `CREATE TABLE "${table}" (position bigint PRIMARY KEY, key text COLLATE "C" NOT NULL UNIQUE,
  version bigint NOT NULL, ${columns}doc text NOT NULL);\n`;
}

const OTHERS = `
${['file', 'session', 'token', 'pairing', 'grant', 'cursor', 'audit', 'settings'].map((table) => plain(table)).join('')}
${plain('offer', 'due_at double precision, ')}
CREATE INDEX offer_by_due ON offer (due_at, position) WHERE due_at IS NOT NULL;
${plain('inbox', 'open smallint NOT NULL, ')}
CREATE INDEX inbox_by_open ON inbox (open, position);
${plain('prompt', 'conversation text COLLATE "C" NOT NULL, ')}
CREATE INDEX prompt_by_conversation ON prompt (conversation, position);
`;

export const tables = NODES + STATES + LOG + DELIVERY + OUTBOX + OTHERS;
