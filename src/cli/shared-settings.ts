// Which settings a node starts with, where other nodes of its database are up: those that they have. A file that says what
// was in force before was not changed: its node was down, or is new. A file that says something new is a change, and counts.
import { resolve } from 'node:path';
import { newestVersion, versions, VERSIONS_KEPT } from '../host/kernel/settings-row.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { type HostFlags, type ResolvedConfig, resolveText } from './host-config.ts';
import { CommandError } from './io.ts';
import { writeWhole } from './settings-file.ts';
import { withoutSecrets, withSecrets } from './settings-secrets.ts';

/** A node that was silent for longer decides nothing now. */
const SILENT_MS = 10_000;

interface Shared {
  config: ResolvedConfig;
  flags: HostFlags;
  env: Readonly<Record<string, string | undefined>>;
  store: Store;
  log: Log;
}

export interface StartSettings {
  config: ResolvedConfig;
  /** What the file says instead, where it could not be written. */
  unwritten?: string;
}

export async function startSettings(shared: Shared): Promise<StartSettings> {
  const { config, flags, env, store, log } = shared;
  const text = await textOfOthers(shared);
  if (text === undefined) return { config };
  let taken: ResolvedConfig;
  try {
    taken = resolveText(text, config.file ?? DEFAULT_CONFIG, flags, env);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const why = `the other nodes have newer settings, which cannot be taken here:\n${error.message}`;
    throw new CommandError(1, `${why}\nPut their earshot.yaml in the place of this one`);
  }
  const { listen, dataDir } = config.host;
  const host = { ...taken.host, listen, dataDir };
  const { store: address, portGivenBy } = config;
  log.info(
    { node: store.nodes.id },
    'the settings of the other nodes are newer than the file; they are taken',
  );
  const found = { ...taken, host, store: address, portGivenBy };
  try {
    writeWhole(resolve(config.file ?? DEFAULT_CONFIG), text);
    return { config: found };
  } catch (error) {
    log.warn({ err: error }, 'the settings of the other nodes could not be written into the file');
    return { config: found, unwritten: config.text };
  }
}

/** Undefined where the file counts. */
async function textOfOthers({ config, store }: Shared): Promise<string | undefined> {
  const overview = await store.nodes.overview();
  const isOther = (node: { id: string; silentMs: number }): boolean =>
    node.id !== store.nodes.id && node.silentMs < SILENT_MS;
  if (overview === undefined || !overview.nodes.some(isOther)) return undefined;
  const newest = await newestVersion(store);
  const own = withoutSecrets(config.text);
  if (newest === undefined || newest.text === '' || newest.text === own) return undefined;
  const before = await versions(store, VERSIONS_KEPT);
  return before.some(({ text }) => text === own) ? withSecrets(newest.text, config.text) : undefined;
}
