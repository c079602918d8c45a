// The names of the machine and of the system's user who runs this process.
import { hostname, userInfo } from 'node:os';

/** Undefined where the system has no entry for the user, as in some containers. */
export function systemUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

export function machineName(): string {
  return hostname();
}
