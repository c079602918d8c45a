// Finds the host's address and the agent's token for a command that connects as an agent: from flags, the environment
// or the data folder.
import { endpointOf } from '../transport/endpoint.ts';
import { readRunning, readTokens } from './data-dir.ts';
import { resolveDataDir } from './host-config.ts';
import { CommandError } from './io.ts';
import { suggestion } from './nearest.ts';

export interface HostWay {
  /** Called for every connection, so that a host that restarted at another address is found again. */
  url: () => string;
  token: string;
  dataDir: string;
}

export interface WayFlags {
  url?: string;
  data?: string;
  config?: string;
}

export async function wayTo(command: string, agent: string, flags: WayFlags): Promise<HostWay> {
  const { env } = process;
  const dataDir = await resolveDataDir(flags, env);
  const kept = readTokens(dataDir);
  const token = env['EARSHOT_TOKEN'] || kept?.agents[agent];
  if (token === undefined) {
    const known = Object.keys(kept?.agents ?? {});
    const hint =
      known.length === 0 ? 'set EARSHOT_TOKEN, or name the folder with --data DIR' : suggestion(agent, known);
    throw new CommandError(1, `${command}: ${dataDir} has no token for "${agent}"; ${hint}`);
  }
  const given = flags.url ?? (env['EARSHOT_URL'] || undefined);
  const first = given ?? readRunning(dataDir)?.url;
  if (first === undefined)
    throw new CommandError(1, `no host runs on ${dataDir}: start it with "earshot up", or pass --url URL`);
  let last = endpoint(first);
  const url = (): string => {
    if (given === undefined) last = endpoint(runningUrl(dataDir) ?? last);
    return last;
  };
  return { url, token, dataDir };
}

/** The file is missing while the host is down or while the file is being replaced. */
function runningUrl(dataDir: string): string | undefined {
  try {
    return readRunning(dataDir)?.url;
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

function endpoint(text: string): string {
  try {
    return endpointOf(text);
  } catch (error) {
    throw new CommandError(2, `--url: ${(error as Error).message}`, { cause: error });
  }
}
