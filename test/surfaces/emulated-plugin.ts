// The emulator has no door for subscriptions and routes of ours, so a test wraps the plugin of a service before it starts
// one. The plugin's file is found by content, because its name is a hash.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Webhooks {
  register(sub: {
    url: string;
    events: string[];
    active: boolean;
    owner: string;
    repo?: string;
    secret?: string;
  }): unknown;
  getSubscriptions(): { id: number }[];
  unregister(id: number): void;
  getDeliveries(): { payload: unknown; success: boolean }[];
  dispatch(
    event: string,
    action: string | undefined,
    payload: unknown,
    owner: string,
    repo?: string,
  ): Promise<void>;
}

export interface Call {
  req: {
    header(name: string): string | undefined;
    param(name: string): string;
    query(name: string): string | undefined;
    path: string;
    url: string;
    method: string;
    text(): Promise<string>;
    raw: Request;
  };
  get(name: string): unknown;
  json(value: unknown, status?: number): Response;
  header(name: string, value: string): void;
}
export type Handler = (c: Call, next: () => Promise<void>) => Promise<Response | void> | Response | void;
export interface App {
  use(path: string, handler: Handler): void;
  get(path: string, handler: Handler): void;
  post(path: string, handler: Handler): void;
  delete(path: string, handler: Handler): void;
}
export type Register = (app: App, store: unknown, webhooks: Webhooks, ...rest: unknown[]) => void;

export async function emulatedPlugin(name: string): Promise<{ register: Register }> {
  const folder = join(import.meta.dirname, '../../node_modules/emulate/dist');
  const isIt = new RegExp(`^var ${name} = `, 'm');
  const file = readdirSync(folder).find(
    (one) => /^dist-.*\.js$/.test(one) && isIt.test(readFileSync(join(folder, one), 'utf8')),
  );
  if (file === undefined) throw new Error(`emulate has no ${name} any more`);
  const module = (await import(pathToFileURL(join(folder, file)).href)) as Record<
    string,
    { register: Register }
  >;
  const found = module[name];
  if (found === undefined) throw new Error(`emulate does not export ${name} any more`);
  return found;
}
