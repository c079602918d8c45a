// The file with the settings of a running host, as the host reaches it. What needs a restart (the address, the data
// folder, sources and platforms) stays as it was started with, and is named.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SettingsPort, Understood } from '../host/operator/settings-port.ts';
import type { GivenSettings } from '../host/kernel/in-force.ts';
import type { SettingsProblem } from '../protocol/settings-api.ts';
import { DEFAULT_CONFIG } from './config.ts';
import { configVersion, type HostFlags, type ResolvedConfig, resolveText } from './host-config.ts';
import { CommandError } from './io.ts';
import { replaceFile } from './replace-file.ts';
import { editYaml } from './settings-edit.ts';
import { withoutSecrets, withSecrets } from './settings-secrets.ts';

export interface SettingsFileOptions {
  /** What the host was started with. */
  running: ResolvedConfig;
  /** What the file says instead, where it could not be written. */
  unwritten?: string | undefined;
  flags: HostFlags;
  env: Readonly<Record<string, string | undefined>>;
  before: (given: GivenSettings) => Promise<void>;
}

export interface SettingsFile extends SettingsPort {
  /** The folder to watch. */
  folder: string;
}

export function settingsFile({ running, unwritten, flags, env, before }: SettingsFileOptions): SettingsFile {
  const home = resolve(running.file ?? DEFAULT_CONFIG);
  let file = running.file === undefined ? undefined : home;
  /** Complaints name the file as the person named it. */
  const name = (): string =>
    file === undefined ? 'the demo configuration' : (running.file ?? DEFAULT_CONFIG);
  return {
    home,
    folder: dirname(home),
    text: running.text,
    ...(unwritten !== undefined && { unwritten }),
    file: () => file,
    async read() {
      // In the demo a file that somebody writes is taken like any other.
      const text = await readFile(home, 'utf8').catch(unlessGone);
      if (text !== undefined) file = home;
      return text;
    },
    understand: (text) =>
      understand(text, name(), running, (given) => resolveText(given, name(), flags, env)),
    async write(text) {
      writeWhole(home, text);
      file = home;
    },
    withoutSecrets,
    withSecrets,
    edit: editYaml,
    before,
  };
}

function unlessGone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}

/** The keys that need a restart, as they are running and as they are wanted. */
const FIXED = {
  'host.listen': ({ host }: ResolvedConfig) => host.listen,
  'host.dataDir': ({ host }: ResolvedConfig) => host.dataDir,
  'host.store': ({ store }: ResolvedConfig) => store,
  'host.sources': ({ host }: ResolvedConfig) => host.sources,
  'host.trustedProxies': ({ host }: ResolvedConfig) => host.trustedProxies,
  surfaces: ({ surfaces }: ResolvedConfig) => surfaces,
} as const;

function understand(
  text: string,
  name: string,
  running: ResolvedConfig,
  read: (text: string) => ResolvedConfig,
): Understood {
  let wanted: ResolvedConfig;
  try {
    wanted = read(text);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { ok: false, problems: problemsIn(error.message, name) };
  }
  const afterRestart = Object.entries(FIXED).flatMap(([key, of]) =>
    isDeepStrictEqual(of(running), of(wanted)) ? [] : [key],
  );
  const { listen, dataDir, sources, trustedProxies } = running.host;
  const settings = { ...wanted.host, listen, dataDir, sources, trustedProxies };
  const { attention } = wanted;
  const version = configVersion({ attention, host: settings, surfaces: running.surfaces });
  return { ok: true, given: { attention, settings, configVersion: version }, afterRestart };
}

/** The complaints, each with its line. What follows a complaint on lines of its own belongs to it. */
export function problemsIn(message: string, name: string): SettingsProblem[] {
  const problems: SettingsProblem[] = [];
  for (const text of message.split('\n')) {
    const rest = text.startsWith(`${name}:`) ? /^:(\d+): /.exec(text.slice(name.length)) : undefined;
    const last = problems.at(-1);
    if (rest === undefined && last !== undefined) last.message += `\n${text}`;
    else
      problems.push(rest?.[1] === undefined ? { message: text } : { line: Number(rest[1]), message: text });
  }
  return problems;
}

/** It keeps the rights of the old one; a new one is its owner's alone. */
export function writeWhole(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0o600;
  replaceFile(file, text, mode & 0o777);
}
