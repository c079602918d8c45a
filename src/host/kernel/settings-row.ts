// The versions of the settings: this file owns their rows. Each is stored before anything is decided by it, so whoever
// reads a record finds the version that decided it.
import type { AttentionSettings } from '../../attention/index.ts';
import type { Write } from '../../store/store.ts';
import type { SettingsRow } from '../../store/tables.ts';
import { auditWrite } from './audit.ts';
import { type ChangeUnit, noChange } from './change.ts';
import type { HostContext, StoreReader } from './context.ts';
import type { GivenSettings } from './in-force.ts';

/** Older versions are removed. What they decided can then not be decided again. */
export const VERSIONS_KEPT = 500;

/** Where a version came from. */
export interface VersionOrigin extends Pick<SettingsRow, 'by' | 'way' | 'text' | 'words'> {}

export async function newestVersion(store: StoreReader): Promise<SettingsRow | undefined> {
  const [newest] = await store.scan('settings', 'byPosition', { limit: 1, descending: true });
  return newest;
}

/** Newest first. */
export function versions(store: StoreReader, limit: number): Promise<SettingsRow[]> {
  return store.scan('settings', 'byPosition', { limit, descending: true });
}

/** The attention settings of every version that is kept, by hash. */
export async function settingsByVersion(store: StoreReader): Promise<ReadonlyMap<string, AttentionSettings>> {
  const rows = await versions(store, VERSIONS_KEPT);
  return new Map(rows.map(({ version, attention }) => [version, attention as AttentionSettings]));
}

/** Somebody else has brought a version meanwhile. */
export class StaleVersion extends Error {
  readonly newest: SettingsRow;

  constructor(newest: SettingsRow) {
    super(`version ${newest.number} of the settings came meanwhile`);
    this.newest = newest;
  }
}

/** Stores the next version. `basedOn`: throws StaleVersion when that is not the newest any more. */
export async function storeVersion(
  context: Pick<HostContext, 'random' | 'changes' | 'store' | 'apply'>,
  given: GivenSettings,
  origin: VersionOrigin,
  basedOn?: number,
): Promise<SettingsRow> {
  for (;;) {
    const newest = await newestVersion(context.store);
    // Another node has read the same file first.
    if (!context.changes.isAlone && newest?.version === given.configVersion && newest.text === origin.text)
      return newest;
    if (basedOn !== undefined && newest !== undefined && newest.number !== basedOn)
      throw new StaleVersion(newest);
    const stored = await context.apply(versionUnit(context, given, origin, newest));
    if (stored !== undefined) return stored;
  }
}

/** The unit that stores the next version, and who brought it. Undefined: another node has brought one meanwhile. */
export function versionUnit(
  context: Pick<HostContext, 'random' | 'changes'>,
  { attention, configVersion }: GivenSettings,
  { by, way, text, words }: VersionOrigin,
  before: SettingsRow | undefined,
): ChangeUnit<SettingsRow | undefined> {
  const number = (before?.number ?? 0) + 1;
  const key = versionKey(number);
  const { changes } = context;
  return {
    states: [...changes.names],
    rows: [['settings', key]],
    run(view) {
      if (view.row('settings', key) !== undefined) return { ...noChange(), result: undefined };
      const { now } = view;
      const row: SettingsRow = {
        key,
        number,
        version: configVersion,
        at: now,
        by,
        way,
        text,
        attention,
        words,
      };
      const detail = { number, version: configVersion, from: before?.version ?? null, way, words };
      const writes: Write[] = [{ table: 'settings', row }, auditWrite(context, now, by, 'settings', detail)];
      if (number > VERSIONS_KEPT)
        writes.push({ table: 'settings', remove: versionKey(number - VERSIONS_KEPT) });
      writes.push(...changes.tell(view, 'settings', [key]));
      return { writes, news: [], result: row };
    },
  };
}

export function versionKey(number: number): string {
  return String(number).padStart(8, '0');
}
