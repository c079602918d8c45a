// How commands talk to a running host. They find it through the data folder, tell it from another server on the same
// port by its instance id, and use HTTP with the operator's token. A refusal of the host becomes the command's one
// line.
import { systemClock } from '../runtime/clock.ts';
import { readRunning, readTokens } from './data-dir.ts';
import { type HostFlags, resolveDataDir } from './host-config.ts';
import { CommandError } from './io.ts';
import { suggestion } from './nearest.ts';

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

/** For commands that open the store where no host runs. */
export const STORE_OPTIONS = { ...CLIENT_OPTIONS, store: { type: 'string' } } as const;
export const STORE_HELP = `  --store URL     the database that is the store, if one is; better in EARSHOT_STORE
${CLIENT_HELP}`;

export interface HostClient {
  url: string;
  /** The JSON of the answer. Throws CommandError with the host's own words. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  open(path: string, signal: AbortSignal): Promise<Response>;
}

/** A host on a machine that is short of everything answers in seconds. One that is gone refuses at once. */
const ALIVE_MS = 10_000;
const CALL_MS = 30_000;

/** The host of this folder or at this URL, if it runs. */
export async function findHost(flags: ClientFlags): Promise<HostClient | undefined> {
  const given = process.env['EARSHOT_TOKEN'];
  if (flags.url !== undefined) {
    if (given === undefined) throw new CommandError(2, '--url needs a token: set EARSHOT_TOKEN');
    return clientOf(checkedUrl(flags.url), given);
  }
  const dataDir = await resolveDataDir(flags, process.env);
  const url = await runningUrl(dataDir);
  if (url === undefined) return undefined;
  const token = given ?? readTokens(dataDir)?.operator;
  if (token === undefined) {
    throw noTokens(url, dataDir);
  }
  return clientOf(url, token);
}

export async function requireHost(flags: ClientFlags): Promise<HostClient> {
  const client = await findHost(flags);
  if (client !== undefined) return client;
  throw noHost(await resolveDataDir(flags, process.env));
}

/** The address of the host and the token of a person, for a command that speaks as one. */
export async function wayOfPerson(flags: ClientFlags, name: string): Promise<{ url: string; token: string }> {
  const given = process.env['EARSHOT_TOKEN'];
  if (flags.url !== undefined) {
    if (given === undefined) throw new CommandError(2, '--url needs a token: set EARSHOT_TOKEN');
    return { url: checkedUrl(flags.url), token: given };
  }
  const dataDir = await resolveDataDir(flags, process.env);
  const url = await runningUrl(dataDir);
  if (url === undefined) throw noHost(dataDir);
  const kept = readTokens(dataDir);
  const { people = {} } = kept ?? {};
  const token = given?.startsWith(PERSON_PREFIX) === true ? given : people[name];
  if (token !== undefined) return { url, token };
  if (kept === undefined) throw noTokens(url, dataDir);
  const known = Object.keys(people);
  const hint = known.length === 0 ? 'set EARSHOT_TOKEN' : suggestion(name, known);
  throw new CommandError(1, `${dataDir} has no token of a person "${name}"; ${hint}`);
}

const PERSON_PREFIX = 'ear_p_';

function noTokens(url: string, dataDir: string): CommandError {
  return new CommandError(1, `the host runs at ${url}, but ${dataDir} has no tokens.json: set EARSHOT_TOKEN`);
}

function noHost(dataDir: string): CommandError {
  return new CommandError(
    1,
    `no host runs on ${dataDir}: start it with "earshot up", or name another with --data DIR`,
  );
}

function checkedUrl(url: string): string {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url.replace(/\/+$/, '');
  throw new CommandError(2, `--url: "${url}" is no address; write for example http://127.0.0.1:7575`);
}

async function runningUrl(dataDir: string): Promise<string | undefined> {
  const running = readRunning(dataDir);
  if (running === undefined) return undefined;
  const { url, instance } = running;
  return (await instanceAt(url)) === instance ? url : undefined;
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

/** Which start of a host answers there. Throws when something takes connections there and stays silent. */
async function instanceAt(url: string): Promise<unknown> {
  try {
    const response = await ask(`${url}/healthz`, {}, ALIVE_MS);
    return ((await response.json()) as { instance?: unknown }).instance;
  } catch (error) {
    if ((error as Error | null)?.name !== 'AbortError') return undefined;
    const seconds = ALIVE_MS / 1_000;
    throw new CommandError(
      1,
      `the host at ${url} has not answered for ${seconds} s: it is stopped or overloaded; try again, or restart it`,
    );
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
