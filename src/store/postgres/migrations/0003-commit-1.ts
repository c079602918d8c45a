// The function that writes a batch, number 1. Every state and row comes with the version that the batch saw, 0 for none;
// if one of them is another by now, nothing is written. Locks are taken in one order, so that two batches never wait for
// each other: states by key, then the tables in this order, each by key. The node passes its arrays sorted by key.
//
// Operations on a state: 0 looked at, 1 put, 2 removed, 3 looked at and locked. On a row: 0 looked at, 1 put (version 0: a
// new row), 2 removed, 3 removed and put again as a new row.
//
// A changed function gets the next number. Nodes of the older Earshot go on calling this one.
interface Shape {
  /** Of the parameters. */
  prefix: string;
  table: string;
  columns: readonly string[];
  /** Besides the columns: what is set on a new and on a changed row. */
  derived?: readonly { column: string; put: string; changed: string }[];
  /** Only the entries of the parameters that are about this table. */
  number?: number;
}

const LOG: Shape = { prefix: 'l', table: 'log', columns: ['source_id', 'conversation', 'seq', 'at'] };
const DELIVERY: Shape = {
  prefix: 'd',
  table: 'delivery',
  columns: ['agent', 'conversation', 'source', 'open', 'state', 'due_at'],
  derived: [
    {
      column: 'ended',
      put: 'CASE WHEN i.open = 0 THEN i.state END',
      changed: 'CASE WHEN i.open = 0 THEN i.state END',
    },
    {
      column: 'ready',
      put: `CASE WHEN i.state = 'queued' THEN earshot_position(blocks, i.rel) END`,
      changed: `CASE WHEN i.state = 'queued' AND t.state <> 'queued' THEN earshot_position(blocks, i.rel) ELSE t.ready END`,
    },
  ],
};
const OUTBOX: Shape = {
  prefix: 'o',
  table: 'outbox',
  columns: ['agent', 'conversation', 'surface', 'state', 'event_id', 'turn_id', 'due_at'],
};
/** Tables that are written seldom share their parameters. Their number here is the one that the node passes. */
const SHARED = ['conversation', 'open', 'due_at'];
const OTHERS: readonly Shape[] = [
  ['file'],
  ['session'],
  ['token'],
  ['pairing'],
  ['grant'],
  ['cursor'],
  ['offer', 'due_at'],
  ['inbox', 'open'],
  ['audit'],
  ['prompt', 'conversation'],
  ['settings'],
].map(([table = '', ...columns], number) => ({ prefix: 'x', table, columns, number }));

const TYPES: Readonly<Record<string, string>> = {
  number: 'int',
  seq: 'bigint',
  open: 'smallint',
  at: 'float8',
  due_at: 'float8',
};

/** All entries of a table's parameters, as `i`. */
function entries({ prefix, columns, number }: Shape): string {
  const shared = number === undefined ? columns : ['number', ...SHARED];
  const names = ['rel', 'key', 'version', 'op', ...shared, 'doc'];
  return `unnest(${names.map((name) => `${prefix}_${name}`).join(', ')}) WITH ORDINALITY AS i(${names.join(', ')}, ord)`;
}

function parameters(prefix: string, columns: readonly string[]): string {
  const own = columns.map((column) => `${prefix}_${column} ${TYPES[column] ?? 'text'}[]`);
  return [
    `${prefix}_rel int[], ${prefix}_key text[], ${prefix}_version bigint[], ${prefix}_op smallint[]`,
    ...own,
    `${prefix}_doc text[]`,
  ].join(', ');
}

function each(list: readonly string[]): string {
  return list.map((item) => `${item}, `).join('');
}

/** Checks what was only looked at or goes away, then changes and adds. `touched` runs before anything is changed. */
function steps(shape: Shape, touched = ''): string {
  const { prefix, table, columns, derived = [], number } = shape;
  const mine = number === undefined ? 'true' : `i.number = ${number}`;
  const present = number === undefined ? `cardinality(${prefix}_key) > 0` : `${number} = ANY (x_number)`;
  const sets = [
    ...columns.map((column) => `${column} = i.${column}`),
    ...derived.map(({ column, changed }) => `${column} = ${changed}`),
  ];
  const names = [...columns, ...derived.map(({ column }) => column)];
  const values = [...columns.map((column) => `i.${column}`), ...derived.map(({ put }) => put)];
  return `
  IF ${present} THEN
    SELECT count(*) FILTER (WHERE i.op = 1 AND i.version > 0),
        count(*) FILTER (WHERE i.op = 3 OR i.op = 1 AND i.version = 0), bool_or(i.op <> 1), bool_or(i.op > 1)
      INTO changes, additions, looks, removes FROM ${entries(shape)} WHERE ${mine};
    IF looks THEN
      IF removes OR changes > 0 THEN
        PERFORM 1 FROM ${entries(shape)} JOIN "${table}" AS t ON t.key = i.key
          WHERE ${mine} ORDER BY i.ord FOR NO KEY UPDATE OF t;
      ELSE
        PERFORM 1 FROM ${entries(shape)} JOIN "${table}" AS t ON t.key = i.key
          WHERE ${mine} AND i.op = 0 ORDER BY i.ord FOR SHARE OF t;
      END IF;
      PERFORM 1 FROM ${entries(shape)} LEFT JOIN "${table}" AS t ON t.key = i.key
        WHERE ${mine} AND i.op <> 1 AND coalesce(t.version, 0) <> i.version;
      IF FOUND THEN RAISE EXCEPTION 'a row of ${table} was changed' USING ERRCODE = 'EA002'; END IF;
    END IF;${touched}
    IF removes THEN
      DELETE FROM "${table}" AS t USING ${entries(shape)} WHERE ${mine} AND t.key = i.key AND i.op > 1;
    END IF;
    IF changes > 0 THEN
      UPDATE "${table}" AS t SET version = written, ${each(sets)}doc = i.doc FROM ${entries(shape)}
        WHERE ${mine} AND t.key = i.key AND t.version = i.version AND i.op = 1 AND i.version > 0;
      GET DIAGNOSTICS n = ROW_COUNT;
      IF n <> changes THEN RAISE EXCEPTION 'a row of ${table} was changed' USING ERRCODE = 'EA002'; END IF;
    END IF;
    IF additions > 0 THEN
      INSERT INTO "${table}" (position, key, version, ${each(names)}doc)
        SELECT earshot_position(blocks, i.rel), i.key, written, ${each(values)}i.doc FROM ${entries(shape)}
        WHERE ${mine} AND (i.op = 3 OR i.op = 1 AND i.version = 0);
    END IF;
  END IF;`;
}

const STATES = `
  IF cardinality(s_key) > 0 THEN
    IF s_op && '{2,3}' THEN
      PERFORM 1 FROM unnest(s_key, s_op) WITH ORDINALITY AS i(key, op, ord) JOIN state AS t ON t.key = i.key
        WHERE i.op > 0 ORDER BY i.ord FOR NO KEY UPDATE OF t;
    END IF;
    UPDATE state AS t SET version = written, text = i.text, wake_at = i.wake
      FROM unnest(s_key, s_version, s_op, s_text, s_wake) AS i(key, version, op, text, wake)
      WHERE t.key = i.key AND t.version = i.version AND i.op = 1 AND i.version > 0;
    GET DIAGNOSTICS n = ROW_COUNT;
    changes := n;
    IF changes < cardinality(s_key) THEN
      INSERT INTO state (key, version, text, wake_at)
        SELECT i.key, written, i.text, i.wake
        FROM unnest(s_key, s_version, s_op, s_text, s_wake) AS i(key, version, op, text, wake)
        WHERE i.op = 1 AND i.version = 0 ON CONFLICT DO NOTHING;
      GET DIAGNOSTICS n = ROW_COUNT;
      changes := changes + n;
    END IF;
    IF changes < cardinality(s_key) THEN
      DELETE FROM state AS t USING unnest(s_key, s_version, s_op) AS i(key, version, op)
        WHERE t.key = i.key AND t.version = i.version AND i.op = 2;
      GET DIAGNOSTICS n = ROW_COUNT;
      changes := changes + n;
      SELECT count(*) INTO n FROM unnest(s_key, s_version, s_op) AS i(key, version, op)
        LEFT JOIN state AS t ON t.key = i.key
        WHERE (i.op IN (0, 3) OR i.op = 2 AND i.version = 0) AND coalesce(t.version, 0) = i.version;
      changes := changes + n;
    END IF;
    IF changes <> cardinality(s_key) THEN RAISE EXCEPTION 'a state was changed' USING ERRCODE = 'EA001'; END IF;
  END IF;`;

// Text that is scrubbed or removed leaves the search index at once, and the index looks at the row again.
const LOG_TOUCHED = `
    IF changes > 0 OR removes THEN
      SELECT array_agg(position), max(position) FILTER (WHERE op > 1) INTO touched, cut FROM
        (SELECT t.position, i.op FROM ${entries(LOG)} JOIN log AS t ON t.key = i.key
          WHERE i.op > 1 OR i.op = 1 AND i.version > 0 ORDER BY i.ord FOR NO KEY UPDATE OF t) AS locked;
      INSERT INTO log_change (position) SELECT unnest(touched);
      DELETE FROM said WHERE position = ANY (touched);
      IF cut IS NOT NULL THEN
        INSERT INTO meta AS m (name, value) VALUES ('cut', cut)
          ON CONFLICT (name) DO UPDATE SET value = greatest(m.value, excluded.value);
      END IF;
    END IF;`;

export const commit1 = `
CREATE FUNCTION earshot_commit_1(node_id text, node_epoch bigint, batch_number bigint, block_count int,
  s_key text[], s_version bigint[], s_op smallint[], s_text text[], s_wake float8[],
  ${parameters('l', LOG.columns)},
  ${parameters('d', DELIVERY.columns)},
  ${parameters('o', OUTBOX.columns)},
  ${parameters('x', ['number', ...SHARED])},
  OUT written bigint, OUT at_ms float8)
LANGUAGE plpgsql SET search_path FROM CURRENT AS $commit$
#variable_conflict use_column
DECLARE
  n bigint;
  changes bigint;
  additions bigint;
  looks boolean;
  removes boolean;
  seen bigint;
  blocks bigint[];
  touched bigint[];
  cut bigint;
BEGIN
  IF batch_number IS NOT NULL THEN
    UPDATE node SET batch = batch_number WHERE id = node_id AND epoch = node_epoch;
    IF NOT FOUND THEN RAISE EXCEPTION 'this node was fenced' USING ERRCODE = 'EA003'; END IF;
  END IF;
  written := pg_current_xact_id()::text::bigint;
${STATES}
  IF block_count > 0 THEN
    SELECT last_value INTO seen FROM position_block;
    PERFORM pg_advisory_xact_lock_shared(earshot_block_lock(seen));
    blocks := ARRAY(SELECT nextval('position_block') FROM generate_series(1, block_count));
  END IF;
${steps(LOG, LOG_TOUCHED)}
${steps(DELIVERY)}
${steps(OUTBOX)}
${OTHERS.map((shape) => steps(shape)).join('')}
  at_ms := extract(epoch FROM clock_timestamp()) * 1000;
END $commit$;
`;
