// Reads the secrets that the configuration names by their place: a variable of the environment, or a file. Every value
// that was read is cut out of logs and answers from then on.
import { readFile } from 'node:fs/promises';
import type { Secret } from '../surfaces/secret.ts';

type Env = Readonly<Record<string, string | undefined>>;

export function secretsOf(env: Env, learn: (value: string) => void): (place: string) => Secret {
  return (place) => {
    const [kind, name] = [place.slice(0, place.indexOf(':')), place.slice(place.indexOf(':') + 1)];
    const look = (): Promise<string | undefined> =>
      kind === 'env' ? Promise.resolve(env[name]) : readFile(name, 'utf8').catch(() => undefined);
    return {
      name: kind === 'env' ? name : `the file ${name}`,
      async read() {
        const value = (await look())?.trim();
        if (value === undefined || value === '') return undefined;
        learn(value);
        return value;
      },
    };
  };
}
