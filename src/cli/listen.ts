// Finds a port to listen on: the requested one, or the next free one. The caller learns which.
import type { HostServer } from '../host/server/server.ts';
import { CommandError } from './io.ts';

const TRIES = 20;

export interface Listening {
  port: number;
  busyPort: number | undefined;
}

export async function listenSomewhere(
  server: Pick<HostServer, 'listen'>,
  asked: { host: string; port: number },
): Promise<Listening> {
  for (let port = asked.port; port < asked.port + TRIES && port <= 65_535; port++) {
    try {
      const got = await server.listen(asked.host, port);
      return { port: got, busyPort: port === asked.port ? undefined : asked.port };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw cannotListen(asked, code, error);
    }
  }
  throw new CommandError(
    1,
    `ports ${asked.port} to ${asked.port + TRIES - 1} are busy: choose another with --port`,
  );
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'it is not allowed here: use a port above 1023',
  EADDRNOTAVAIL: 'this machine has no such address: use 127.0.0.1, or 0.0.0.0 for all of them',
  ENOTFOUND: 'no such address: use 127.0.0.1, or 0.0.0.0 for all of them',
};

function cannotListen(
  { host, port }: { host: string; port: number },
  code = 'unknown',
  cause: unknown,
): CommandError {
  return new CommandError(1, `cannot listen on ${host}:${port}: ${REASONS[code] ?? code}`, { cause });
}
