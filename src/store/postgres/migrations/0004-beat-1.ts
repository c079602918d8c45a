// What a node asks once a second. `earshot_beat_1` keeps it alive and moves leases; `earshot_look_1` says what others have
// done that concerns it. Both are numbered like the commit function: nodes of an older Earshot go on calling theirs.
//
// A lease moves only when its time is over and its holder is fenced or gone. So whatever the old holder still writes is
// refused, and it has stopped by itself if it could: its own count of the time is never longer than this one.
//
// A node without a version is no host: a command that opened the store, or a host that was reaped. It is removed after a
// day, when no statement of it can be under way any more.
export const beat1 = `
CREATE FUNCTION earshot_beat_1(node_id text, node_epoch bigint, lease_ms float8, wanted text[], node_url text,
  node_version text, node_config text, is_draining boolean)
RETURNS TABLE (kind text, item text, num float8) LANGUAGE plpgsql SET search_path FROM CURRENT AS $beat$
DECLARE
  moment timestamptz := clock_timestamp();
  later timestamptz := clock_timestamp() + lease_ms * interval '1 millisecond';
  dead text;
BEGIN
  UPDATE node AS n SET until = later, url = node_url, version = node_version, config = node_config,
    draining = is_draining WHERE n.id = node_id AND n.epoch = node_epoch;
  IF NOT FOUND THEN RAISE EXCEPTION 'this node was fenced' USING ERRCODE = 'EA003'; END IF;
  FOR dead IN SELECT n.id FROM node AS n WHERE n.until < moment AND n.version IS NOT NULL AND n.id <> node_id
      ORDER BY n.id FOR NO KEY UPDATE SKIP LOCKED LOOP
    UPDATE node AS n SET epoch = n.epoch + 1, version = NULL, url = NULL WHERE n.id = dead;
    RETURN QUERY SELECT 'reaped', dead, 0::float8;
  END LOOP;
  DELETE FROM node AS n WHERE n.version IS NULL AND n.until < moment - interval '1 day' AND n.id <> node_id;
  DELETE FROM lease AS l WHERE l.node = node_id AND NOT l.name = ANY (wanted);
  UPDATE lease AS l SET until = later WHERE l.node = node_id AND l.epoch = node_epoch;
  INSERT INTO lease AS l (name, node, epoch, until)
    SELECT w.name, node_id, node_epoch, later FROM unnest(wanted) AS w(name)
    WHERE NOT EXISTS (SELECT FROM lease AS o WHERE o.name = w.name
      AND (o.until >= moment AND o.node <> node_id OR o.node = node_id AND o.epoch = node_epoch))
    ORDER BY w.name
    ON CONFLICT (name) DO UPDATE SET node = excluded.node, epoch = excluded.epoch, until = excluded.until
      WHERE l.node = excluded.node OR l.until < moment AND NOT EXISTS
        (SELECT FROM node AS n WHERE n.id = l.node AND n.epoch = l.epoch AND n.version IS NOT NULL);
  RETURN QUERY SELECT 'lease', l.name, 0::float8 FROM lease AS l WHERE l.node = node_id AND l.epoch = node_epoch;
  RETURN QUERY SELECT 'node', n.id, 0::float8 FROM node AS n WHERE n.version IS NOT NULL AND n.until >= moment;
  RETURN QUERY SELECT 'time', NULL::text, extract(epoch FROM clock_timestamp())::float8 * 1000;
END $beat$;

-- Agents have no spaces in their names. Ready deliveries beyond the horizon are told too, and told again by the next look: the cursor stays at the horizon.
CREATE FUNCTION earshot_look_1(agents text[], after_ready bigint, held text[], surfaces text[], sweeps boolean,
  since bigint, most int)
RETURNS TABLE (kind text, item text, num float8) LANGUAGE plpgsql SET search_path FROM CURRENT AS $look$
DECLARE
  moment float8 := extract(epoch FROM clock_timestamp()) * 1000;
BEGIN
  RETURN QUERY SELECT 'horizon', NULL::text, earshot_horizon()::float8;
  IF after_ready >= 0 AND cardinality(agents) > 0 THEN
    RETURN QUERY SELECT 'ready', d.agent || ' ' || d.key, d.ready::float8 FROM delivery AS d
      WHERE d.agent = ANY (agents) AND d.open = 1 AND d.ready > after_ready AND d.state = 'queued'
      ORDER BY d.ready LIMIT most;
  END IF;
  IF cardinality(held) > 0 THEN
    RETURN QUERY SELECT 'ended', d.key, 0::float8 FROM delivery AS d WHERE d.key = ANY (held) AND d.open = 0;
  END IF;
  IF cardinality(surfaces) > 0 THEN
    RETURN QUERY SELECT 'send', o.key, o.due_at FROM outbox AS o
      WHERE o.due_at <= moment AND o.surface = ANY (surfaces) ORDER BY o.due_at LIMIT most;
  END IF;
  IF sweeps THEN
    RETURN QUERY SELECT 'due', NULL::text, least((SELECT min(t.wake_at) FROM state AS t),
      (SELECT min(t.due_at) FROM delivery AS t), (SELECT min(t.due_at) FROM offer AS t));
  END IF;
  RETURN QUERY SELECT 'since', NULL::text, pg_snapshot_xmin(pg_current_snapshot())::text::float8;
  RETURN QUERY SELECT 'session', s.doc, 0::float8 FROM session AS s WHERE s.version >= since;
END $look$;
`;
