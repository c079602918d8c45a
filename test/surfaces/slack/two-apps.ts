// A workspace with an app for each agent: the lead speaks through the first, the builder through the second. Both are in
// the channel.
import { SocketModeClient } from '@slack/socket-mode';
import { onTestFinished } from 'vitest';
import type { LogRow } from '../../../src/store/tables.ts';
import { secret } from '../receiver.ts';
import { type Office, type OfficeOptions, office } from './office.ts';
import { type SocketServer, socketServer } from './socket-server.ts';
import { APP_TOKEN, BUILDER_APP_TOKEN, BUILDER_TOKEN, SIGNING_SECRET, type Workspace } from './workspace.ts';

export const BUILDER_LOGIN = {
  agents: ['builder'],
  botToken: secret('SLACK_BOT_TOKEN_BUILDER', BUILDER_TOKEN),
  signingSecret: secret('SLACK_SIGNING_SECRET_BUILDER', SIGNING_SECRET),
};

/** Events over HTTP, each app's at an address of its own. */
export async function twoApps(options: OfficeOptions = {}): Promise<Office> {
  const o = await office({
    accounts: 'learnt',
    http: false,
    ...options,
    slack: { agents: ['lead'], more: [BUILDER_LOGIN], ...options.slack },
    before: async (workspace: Workspace) => {
      await workspace.invite('builder');
      await options.before?.(workspace);
    },
  });
  const events = `${o.wire.url}/v1/surfaces/slack/events`;
  if (options.http !== false) o.slack.listen(`${events}/lead`, `${events}/builder`);
  return o;
}

const over = (name: string, token: string) => ({
  socket: { Client: SocketModeClient, appToken: secret(name, token) },
});

/** Events over Socket Mode, a connection for each app. */
export async function twoSockets(): Promise<Office & { socket: SocketServer }> {
  let socket!: SocketServer;
  const { signingSecret: _, ...builder } = BUILDER_LOGIN;
  const o = await twoApps({
    http: false,
    slack: {
      ...over('SLACK_APP_TOKEN', APP_TOKEN),
      more: [{ ...builder, ...over('SLACK_APP_TOKEN_BUILDER', BUILDER_APP_TOKEN) }],
    },
    before: async (workspace) => {
      socket = await socketServer(workspace, onTestFinished);
    },
  });
  return { ...o, socket };
}

export async function logged(o: Office): Promise<LogRow[]> {
  return o.wire.host.context.store.scan('log', 'byPosition', { limit: 1_000 });
}

/** How often each message of people and apps is in the log, by its ts. */
export async function timesLogged(o: Office): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { record, key } of await logged(o)) {
    if (record.event.type !== 'message') continue;
    const id = record.event.sourceId ?? key;
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}
