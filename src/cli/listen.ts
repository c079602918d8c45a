// A port to listen on: the one asked for, by a flag, a variable or the file. If nobody asked for one and the usual one is
// busy, the next free one is taken, and whoever starts the host is told which.
import type { HostServer } from '../host/server.ts';
import { CommandError } from './io.ts';

const TRIES = 20;

/** Undefined: nobody asked for it. */
export type PortGivenBy = 'caller' | { file: string } | undefined;

export interface Listening {
  port: number;
  busyPort: number | undefined;
}

export async function listenSomewhere(
  server: Pick<HostServer, 'listen'>,
  asked: { host: string; port: number },
  givenBy: PortGivenBy,
): Promise<Listening> {
  const tries = givenBy === undefined ? TRIES : 1;
  for (let port = asked.port; port < asked.port + tries && port <= 65_535; port++) {
    try {
      const got = await server.listen(asked.host, port);
      return { port: got, busyPort: port === asked.port ? undefined : asked.port };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE') throw cannotListen(asked, code, error);
    }
  }
  throw new CommandError(1, busy(asked.port, givenBy));
}

function busy(port: number, givenBy: PortGivenBy): string {
  if (typeof givenBy === 'object')
    return (
      `${givenBy.file}: host.listen.port: port ${port} is busy; ` +
      'write another one, or 0 for any free one, or leave it out for the next free one from 7575 on'
    );
  const which =
    givenBy === undefined ? `ports ${port} to ${port + TRIES - 1} are busy` : `port ${port} is busy`;
  return `${which}: choose another with --port, or 0 for any free one`;
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
