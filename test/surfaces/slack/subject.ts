// The Slack surface against the workspace of the tests, with its events over HTTP as Slack posts them.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebClient } from '@slack/web-api';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../src/runtime/clock.ts';
import type { Secret } from '../../../src/surfaces/secret.ts';
import { type SlackOptions, slackSurface } from '../../../src/surfaces/slack/slack.ts';
import type { Surface } from '../../../src/surfaces/surface.ts';
import { BOT_TOKEN, SIGNING_SECRET, type Workspace } from './workspace.ts';

export function secret(name: string, value: string | undefined): Secret {
  return { name, read: () => Promise.resolve(value) };
}

export function slackOver(workspace: Workspace, clock: Clock, more: Partial<SlackOptions> = {}): Surface {
  return slackSurface({
    id: 'slack',
    clock,
    WebClient,
    botToken: secret('SLACK_BOT_TOKEN', BOT_TOKEN),
    signingSecret: secret('SLACK_SIGNING_SECRET', SIGNING_SECRET),
    apiUrl: workspace.apiUrl,
    ...more,
  });
}

/** Where Slack posts its events: hands them to the surface as the host's route does. */
export async function receiver(surface: Surface): Promise<string> {
  const server = createServer((request, response) => {
    void answer(surface, request).then(({ status, body }) => response.writeHead(status).end(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`;
}

async function answer(
  surface: Surface,
  request: IncomingMessage,
): Promise<{ status: number; body?: string }> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = request.headers as Record<string, string>;
  const given = {
    method: 'POST' as const,
    path: 'events',
    query: '',
    headers,
    body: Buffer.concat(chunks),
    receivedAt: Date.now(),
  };
  return (await surface.request?.(given)) ?? { status: 404 };
}
