// The settings of a host. Precedence: flag, then environment, then file, then default. If there is no file in the usual
// place, the demo configuration runs and the banner says so.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_CONFIG, type HostConfig, hasPort, parseHostConfig, readConfig } from './config.ts';
import { DEMO_CONFIG } from './demo-config.ts';
import { CommandError } from './io.ts';
import type { PortGivenBy } from './listen.ts';
import { type StoreAddress, storeAddress } from './store-address.ts';

export interface HostFlags {
  config?: string | undefined;
  host?: string | undefined;
  port?: string | undefined;
  data?: string | undefined;
  store?: string | undefined;
}
type Env = Readonly<Record<string, string | undefined>>;

export interface ResolvedConfig extends HostConfig {
  /** The file, or undefined for the demo. */
  file: string | undefined;
  text: string;
  /** SHA-256 of the settings in force, written into every record. */
  version: string;
  /** Who asked for this very port: a flag or variable, or the file, by its name. Another port would not be found. */
  portGivenBy: PortGivenBy;
  /** The database, where several nodes share one. Undefined: the file of the data folder. */
  store: StoreAddress | undefined;
}

export async function resolveConfig(flags: HostFlags, env: Env): Promise<ResolvedConfig> {
  const named = flags.config ?? set(env, 'EARSHOT_CONFIG');
  const file = named ?? (existsSync(DEFAULT_CONFIG) ? DEFAULT_CONFIG : undefined);
  const text = file === undefined ? DEMO_CONFIG : await readConfig(file, false);
  return resolveText(text, file, flags, env);
}

/** The settings that a text gives, under the same flags and environment. Throws the complaints about it. */
export function resolveText(
  text: string,
  file: string | undefined,
  flags: HostFlags,
  env: Env,
): ResolvedConfig {
  const { attention, host, surfaces } = parseHostConfig(text, file ?? 'the demo configuration');
  const port = portOf(flags, env);
  const settings = {
    ...host,
    dataDir: resolve(flags.data ?? set(env, 'EARSHOT_DATA') ?? host.dataDir),
    listen: {
      host: flags.host ?? set(env, 'EARSHOT_HOST') ?? host.listen.host,
      port: port ?? host.listen.port,
    },
  };
  const inForce = { attention, host: settings, surfaces };
  const inFile = file !== undefined && hasPort(text, file) ? { file } : undefined;
  const portGivenBy = port === undefined ? inFile : 'caller';
  const store = storeOf(flags, env, host.store);
  return { ...inForce, file, text, version: configVersion(inForce), portGivenBy, store };
}

/** The data folder, for commands that need nothing else. They work even if the config is broken. */
export async function resolveDataDir(flags: HostFlags, env: Env): Promise<string> {
  const direct = flags.data ?? set(env, 'EARSHOT_DATA');
  return direct === undefined ? (await resolveConfig(flags, env)).host.dataDir : resolve(direct);
}

/** Where a command finds what is stored. */
export interface StorePlace {
  dataDir: string;
  store: StoreAddress | undefined;
}

/** For commands that need nothing else. With a data folder that is named they work even if the config is broken. */
export async function resolvePlace(flags: HostFlags, env: Env): Promise<StorePlace> {
  const dataDir = await resolveDataDir(flags, env);
  const direct = storeOf(flags, env, undefined);
  if (direct !== undefined) return { dataDir, store: direct };
  try {
    return { dataDir, store: (await resolveConfig(flags, env)).store };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { dataDir, store: undefined };
  }
}

function storeOf(flags: HostFlags, env: Env, inFile: string | undefined): StoreAddress | undefined {
  if (flags.store !== undefined) return storeAddress(flags.store, '--store');
  const variable = set(env, 'EARSHOT_STORE');
  if (variable !== undefined) return storeAddress(variable, 'EARSHOT_STORE');
  return inFile === undefined ? undefined : storeAddress(inFile, 'host.store');
}

function portOf(flags: HostFlags, env: Env): number | undefined {
  const [where, text] =
    flags.port === undefined ? ['EARSHOT_PORT', set(env, 'EARSHOT_PORT')] : ['--port', flags.port];
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new CommandError(2, `${where}: "${text}" is no port; write a number from 0 (any free one) to 65535`);
}

/** An empty variable counts as not set. */
function set(env: Env, name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}

/** Leaves out the address and where the data is, because they do not change any decision. */
export function configVersion({ attention, host, surfaces }: HostConfig): string {
  const { listen: _, dataDir: __, store: ___, ...rest } = host;
  return createHash('sha256')
    .update(canonical({ attention, host: rest, surfaces: surfaces.length === 0 ? undefined : surfaces }))
    .digest('hex');
}

/** Equal settings give equal text, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join(',')}}`;
}
