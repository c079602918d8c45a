// How commands talk to a running host. They find it through the data folder, tell it from another server on the same
// port by its instance id, and use HTTP with the operator's token. A refusal of the host becomes the command's one
// line.
import { systemClock } from '../runtime/clock.ts';
import { readRunning, readTokens } from './data-dir.ts';
import { type HostFlags, resolveDataDir } from './host-config.ts';
import { CommandError } from './io.ts';

export interface ClientFlags extends HostFlags {
  url?: string | undefined;
}

export const CLIENT_OPTIONS = {
  url: { type: 'string' },
  data: { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const CLIENT_HELP = `  --data DIR      the host's data folder; ./.earshot when left out               (EARSHOT_DATA)
  --url URL       a host elsewhere; its token is taken from EARSHOT_TOKEN
  --json          as JSON
  -h, --help      this text`;

export interface HostClient {
  url: string;
  /** The JSON of the answer. Throws CommandError with the host's own words. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  open(path: string, signal: AbortSignal): Promise<Response>;
}

const ALIVE_MS = 2_000;
const CALL_MS = 30_000;

/** The host of this folder or at this URL, if it runs. */
export async function findHost(
  flags: ClientFlags,
  wanted: 'operator' | 'source' = 'operator',
): Promise<HostClient | undefined> {
  const given = process.env['EARSHOT_TOKEN'];
  if (flags.url !== undefined) {
    if (given === undefined) throw new CommandError(2, '--url needs a token: set EARSHOT_TOKEN');
    if (!/^https?:$/.test(URL.parse(flags.url)?.protocol ?? ''))
      throw new CommandError(
        2,
        `--url: "${flags.url}" is no address; write for example http://127.0.0.1:7575`,
      );
    return clientOf(flags.url.replace(/\/+$/, ''), given);
  }
  const dataDir = await resolveDataDir(flags, process.env);
  const running = readRunning(dataDir);
  if (running === undefined || !(await isAlive(running.url, running.instance))) return undefined;
  const kept = readTokens(dataDir);
  const token = given ?? (wanted === 'operator' ? kept?.operator : kept?.surfaces['dev']);
  if (token === undefined) {
    throw new CommandError(
      1,
      `the host runs at ${running.url}, but ${dataDir} has no tokens.json: set EARSHOT_TOKEN`,
    );
  }
  return clientOf(running.url, token);
}

export async function requireHost(
  flags: ClientFlags,
  wanted: 'operator' | 'source' = 'operator',
): Promise<HostClient> {
  const client = await findHost(flags, wanted);
  if (client !== undefined) return client;
  const dataDir = await resolveDataDir(flags, process.env);
  throw new CommandError(
    1,
    `no host runs on ${dataDir}: start it with "earshot up", or name another with --data DIR`,
  );
}

/** The list of this name in an answer. Throws when it is missing, because then the server is not this Earshot. */
export function listIn<T>(answer: unknown, name: string): T[] {
  const list =
    typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>)[name] : undefined;
  if (Array.isArray(list)) return list as T[];
  throw new CommandError(
    1,
    `the host answered without "${name}": is it another version of Earshot, or something else on its port?`,
  );
}

async function isAlive(url: string, instance: string): Promise<boolean> {
  try {
    const response = await ask(`${url}/healthz`, {}, ALIVE_MS);
    return ((await response.json()) as { instance?: unknown }).instance === instance;
  } catch {
    return false;
  }
}

function clientOf(url: string, token: string): HostClient {
  const authorization = `Bearer ${token}`;
  const reach = async (path: string, init: RequestInit, timeoutMs?: number): Promise<Response> => {
    try {
      return await ask(`${url}${path}`, init, timeoutMs);
    } catch (error) {
      throw new CommandError(1, `the host at ${url} does not answer: is it still running?`, { cause: error });
    }
  };
  return {
    url,
    async call(method, path, body) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const type = body === undefined ? {} : { 'content-type': 'application/json' };
      const response = await reach(path, { method, headers: { authorization, ...type }, ...json }, CALL_MS);
      return answerOf(response);
    },
    async open(path, signal) {
      const response = await reach(path, { headers: { authorization }, signal });
      if (!response.ok) await answerOf(response);
      return response;
    },
  };
}

async function ask(url: string, init: RequestInit, timeoutMs?: number): Promise<Response> {
  if (timeoutMs === undefined) return fetch(url, init);
  const abort = new AbortController();
  const cancel = systemClock.after(timeoutMs, () => abort.abort());
  try {
    return await fetch(url, { ...init, signal: abort.signal });
  } finally {
    cancel();
  }
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  let answer: unknown;
  try {
    answer = JSON.parse(text) as unknown;
  } catch {
    throw new CommandError(
      1,
      `the host answered ${response.status} and no JSON: is something else on its port?`,
    );
  }
  if (response.ok) return answer;
  const { error } = answer as { error?: { message?: unknown } };
  throw new CommandError(
    1,
    typeof error?.message === 'string' ? error.message : `the host answered ${response.status}`,
  );
}
