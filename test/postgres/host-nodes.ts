// Hosts that share one database, each with a data folder of its own: processes (`nodeOf`), or all of `earshot up` in the
// process of the test (`hereOn`), which is quicker. The first makes the tokens.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, type AgentConnection } from '../../src/agent/connect.ts';
import { onTestFinished } from 'vitest';
import { type Here, upHere } from '../server/here.ts';
import { folder, type Listening, up } from '../server/up.ts';
import { StoreSchema } from './store-schema.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export function addressOf(schema: StoreSchema, url = schema.url): string {
  const address = new URL(url);
  address.searchParams.set('schema', schema.name);
  return address.href;
}

export function nodeOf(schema: StoreSchema, { url, argv = [] }: { url?: string; argv?: string[] } = {}) {
  return up({ argv, env: { EARSHOT_STORE: addressOf(schema, url) } });
}

/** A schema that goes when the hosts of the test have stopped. */
export function sharedSchema(): StoreSchema {
  const schema = new StoreSchema();
  onTestFinished(() => schema.dispose());
  return schema;
}

/** `text`: its own `earshot.yaml`. */
export function hereOn(schema: StoreSchema, text: string, url = schema.url): Promise<Here> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), text);
  return upHere({ data, store: addressOf(schema, url) });
}

/** An agent of the SDK that answers everything. */
export function agentAt(url: string, token: string | undefined, agent = ''): AgentConnection {
  const connection = connect({
    url,
    token,
    log: QUIET,
    typing: false,
    compose: { quietMs: 10 },
    limits: { reconnectBaseMs: 20, reconnectCapMs: 200 },
  });
  onTestFinished(() => void connection.close());
  return connection.onTurn((turn) => `Heard${agent}: ${turn.text}`);
}

/** What waits for the source to be shown, as any node tells it. */
export async function answers(host: Listening, token: string | undefined): Promise<string[]> {
  const { body } = await host.call('GET', '/v1/outbox?limit=100', token);
  return (body['messages'] as { text: string }[]).map(({ text }) => text);
}
