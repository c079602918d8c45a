// Finds the host for a program that was told neither address nor token: from EARSHOT_URL and EARSHOT_TOKEN, else from the
// data folder of a host on this machine (EARSHOT_DATA, ./.earshot). Loaded only when something is missing, so that the
// SDK runs where there is no file system.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { env } from 'node:process';

export interface HostWay {
  url: string;
  token: string;
}

interface Asked {
  url?: string | undefined;
  token?: string | undefined;
  agent?: string | undefined;
}

export async function findLocalHost({ url, token, agent }: Asked): Promise<HostWay> {
  const known = { url: url ?? set('EARSHOT_URL'), token: token ?? set('EARSHOT_TOKEN') };
  const folder = resolve(set('EARSHOT_DATA') ?? '.earshot');
  return {
    url: known.url ?? (await runningAt(folder)),
    token: known.token ?? (await tokenIn(folder, agent)),
  };
}

async function runningAt(folder: string): Promise<string> {
  const { url } = await readObject(join(folder, 'host.json'));
  if (typeof url === 'string') return url;
  throw new Error(`no host runs on ${folder}: start it with "earshot up", or set EARSHOT_URL`);
}

async function tokenIn(folder: string, agent: string | undefined): Promise<string> {
  const { agents } = await readObject(join(folder, 'tokens.json'));
  const tokens = Object.entries((agents ?? {}) as Record<string, unknown>);
  const names = tokens.map(([name]) => name);
  const wanted = agent ?? (names.length === 1 ? names[0] : undefined);
  const token = tokens.find(([name]) => name === wanted)?.[1];
  if (typeof token === 'string') return token;
  const why =
    wanted === undefined
      ? `connect: say which agent this is: connect({ agent: "${names[0] ?? 'lead'}" })`
      : `${folder} has no token of the agent "${wanted}"`;
  throw new Error(`${why}, or set EARSHOT_TOKEN; its agents are ${names.join(', ') || 'none'}`);
}

/** Empty when the file is missing or is being written. */
async function readObject(file: string): Promise<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/** An empty variable counts as not set. */
function set(name: string): string | undefined {
  const value = env[name];
  return value === '' ? undefined : value;
}
