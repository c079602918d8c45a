// What bounds each stored table, in words. The reference prints it, and a test fails for a table that is not here: data
// that only grows fills every disk one day. `retention`: rows older than `limits.retentionMs` are cut (retention.ts).
import type { TableName } from '../../store/tables.ts';

/** The tables of tables.ts, and those that a store keeps for itself. */
export type StoredTable = TableName | 'state' | 'log_change' | 'meta';

export interface TableBound {
  /** What removes its rows. */
  by: 'retention' | 'event' | 'promptsMs' | 'expiry' | 'one per key' | 'count';
  words: string;
}

export const TABLE_BOUNDS: Readonly<Record<StoredTable, TableBound>> = {
  log: {
    by: 'retention',
    words: '`retentionMs`. What an open obligation, delivery or offer needs stays until that has ended.',
  },
  delivery: { by: 'event', words: 'Goes with its event in the log.' },
  offer: { by: 'event', words: 'Goes with its event in the log.' },
  outbox: {
    by: 'retention',
    words:
      'Goes with the event it became. One that never became one goes after `retentionMs`, once it has ended.',
  },
  file: {
    by: 'event',
    words:
      'Goes with its send, at most 5 files and 384 KiB for each, or with the message of a person, at most 5 files and 8 MiB for each.',
  },
  inbox: {
    by: 'retention',
    words:
      '`retentionMs` after it was closed, or with its event. An open approval or obligation stays until it is decided.',
  },
  audit: { by: 'retention', words: '`retentionMs`.' },
  prompt: { by: 'promptsMs', words: '`promptsMs`, and never longer than `retentionMs`.' },
  settings: { by: 'count', words: 'The newest 500 versions of the settings.' },
  token: { by: 'retention', words: 'Stays while it is valid. A revoked one goes after `retentionMs`.' },
  pairing: { by: 'expiry', words: 'Goes when it is used or has expired, within the hour.' },
  grant: { by: 'one per key', words: 'One for each account with a role.' },
  session: { by: 'one per key', words: 'One for each agent.' },
  cursor: { by: 'one per key', words: 'One for each person and conversation of the web chat.' },
  state: {
    by: 'one per key',
    words:
      'One for each conversation, of at most 6 KB, and for each agent, account and mark of a surface; those of a post go with its send.',
  },
  log_change: { by: 'expiry', words: 'Goes when the search index has followed, within seconds.' },
  meta: { by: 'one per key', words: 'A few values of the store itself.' },
};
