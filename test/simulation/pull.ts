// The client of a source that pulls: reads what waits, shows what it has not shown yet, and says so. It may die or be
// cut off in between, so it asks again.
import type { Host } from '../../src/host/host.ts';
import { outboundOf } from '../../src/host/http/response.ts';
import { isForPulling } from '../../src/host/outbox/outbox-row.ts';
import { type PlatformPorts, type SentBody, showBody, type SimPlatform } from './platform.ts';

const PAGE = 50;

export async function pullOutbox(
  host: Host,
  platform: SimPlatform,
  ports: Pick<PlatformPorts, 'clock' | 'onShown'>,
  isAlive: () => boolean,
): Promise<void> {
  const rows = await host.context.store.scan('outbox', 'bySurface', { eq: ['desk', 'queued'], limit: PAGE });
  for (const row of rows.filter(isForPulling)) {
    const body = (await outboundOf(host.context, row)) as SentBody | undefined;
    if (!isAlive() || body === undefined) continue;
    const platformId = showBody(platform, body.idempotencyKey, body, ports);
    await host.poster.shown(body.idempotencyKey, platformId);
  }
}
