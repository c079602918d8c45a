// `earshot token show`: a development token from the data folder, alone or as lines for a shell.
import { readRunning, readTokens } from './data-dir.ts';
import { type HostFlags, resolveDataDir } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';

interface ShowFlags extends HostFlags {
  env?: boolean | undefined;
  json?: boolean | undefined;
}

export async function showToken(name: string | undefined, flags: ShowFlags, io: Io): Promise<number> {
  const dataDir = await resolveDataDir(flags, process.env);
  const kept = readTokens(dataDir);
  const all = new Map<string, string>([
    ...Object.entries(kept?.surfaces ?? {}),
    ...Object.entries(kept?.people ?? {}),
    ...Object.entries(kept?.agents ?? {}),
  ]);
  if (name === undefined)
    throw new CommandError(2, `token show: name one: ${[...all.keys()].join(', ') || 'there are none yet'}`);
  const token = all.get(name);
  if (token === undefined) {
    const hint = all.size === 0 ? 'start the host once with "earshot up"' : suggestion(name, [...all.keys()]);
    throw new CommandError(1, `${dataDir} has no token of "${name}"; ${hint}`);
  }
  const url = readRunning(dataDir)?.url;
  if (flags.json === true) await io.out(`${JSON.stringify({ name, token, url: url ?? null })}\n`);
  else if (flags.env === true) {
    const address = url === undefined ? '' : `export EARSHOT_URL=${url}\n`;
    await io.out(`${address}export EARSHOT_TOKEN=${token}\n`);
  } else await io.out(`${token}\n`);
  return 0;
}
