// The one place where surfaces are named: the host's own, the web chat, the configured sources, and one that pulls for
// every surface that has a token but no configuration.
import type { HostSettings, SourceSettings } from '../host/kernel/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { internalSurface } from '../surfaces/internal/internal.ts';
import { sourceSurface } from '../surfaces/source/source.ts';
import type { PostOutcome, Surface } from '../surfaces/surface.ts';
import { postWebhook } from '../transport/webhook.ts';
import { type Asking, askAttachment, askHistory } from './ask-source.ts';
import { CommandError } from './io.ts';

export const DEV_SOURCE = 'dev';
export const INTERNAL = 'earshot';
const MAX_CHARS = 40_000;

export interface Surfaces {
  surfaces: Surface[];
  /** The ids of those that post from outside. */
  sources: Set<string>;
}

export function openSurfaces(
  settings: HostSettings,
  tokenSubjects: Iterable<string>,
  clock: Clock,
  web: Surface,
  adapters: readonly { id: string }[] = [],
): Surfaces {
  const sources = new Set<string>();
  const surfaces = [internalSurface(INTERNAL), web];
  const own = new Set(surfaces.map(({ id }) => id));
  for (const source of settings.sources) {
    if (own.has(source.id)) {
      const message = `host.sources: "${source.id}" is the host's own surface; give the source another id`;
      throw new CommandError(2, message);
    }
    sources.add(source.id);
    surfaces.push(configured(source, clock));
  }
  for (const id of new Set([DEV_SOURCE, ...tokenSubjects])) {
    // A token with the name of an adapter brings nothing in: the adapter alone tells of its platform.
    if (sources.has(id) || own.has(id) || adapters.some((adapter) => adapter.id === id)) continue;
    sources.add(id);
    surfaces.push(sourceSurface({ id, platform: id, anyPlatform: true, maxChars: MAX_CHARS }));
  }
  return { surfaces, sources };
}

function configured(source: SourceSettings, clock: Clock): Surface {
  const { id, platform = id, maxChars, openChannels, threads, replies, files } = source;
  const { url, attachmentsUrl, historyUrl, secret, typing } = source;
  const anyPlatform = source.platform === undefined;
  const plain = { id, platform, anyPlatform, maxChars, openChannels, threads, replies, files };
  if (secret === undefined) return sourceSurface(plain);
  return sourceSurface({
    ...plain,
    ...(url === undefined ? {} : { deliver: poster({ url, secret, clock }) }),
    ...(url === undefined || !typing ? {} : { tell: teller({ url, secret, clock }) }),
    ...(attachmentsUrl === undefined
      ? {}
      : { attachment: askAttachment({ url: attachmentsUrl, secret, clock }) }),
    ...(historyUrl === undefined ? {} : { history: askHistory({ url: historyUrl, secret, clock }) }),
  });
}

function poster({ url, secret, clock }: Asking): (key: string, body: string) => Promise<PostOutcome> {
  return async (key, body) => {
    // A key may contain any character, a header may not.
    const safe = encodeURIComponent(key.toWellFormed());
    const headers = { 'idempotency-key': safe };
    const outcome = await postWebhook({ url, secret, id: safe, body, clock, headers });
    switch (outcome.kind) {
      case 'delivered':
        return { type: 'visible', platformId: platformIdIn(outcome.body) ?? key };
      case 'retry': {
        const wait = outcome.afterMs === undefined ? {} : { afterMs: outcome.afterMs };
        return { type: 'retry', error: outcome.problem, ...wait };
      }
      case 'refused':
        return { type: 'refused', error: outcome.problem };
      case 'unknown':
        return { type: 'unknown', error: outcome.problem };
    }
  };
}

/** How long a sign may take. After that it is of no use. */
const SIGN_MS = 3_000;

/** Posts a sign once. What becomes of it is nobody's concern: the next one is a few seconds away. */
function teller({ url, secret, clock }: Asking): (body: string) => Promise<void> {
  let count = 0;
  return async (body) => {
    count += 1;
    await postWebhook({ url, secret, id: `typing-${clock.now()}-${count}`, body, clock, timeoutMs: SIGN_MS });
  };
}

/** A source may answer with the id that its platform gave the message. */
function platformIdIn(body: string | undefined): string | undefined {
  try {
    const { platformId } = JSON.parse(body ?? '') as { platformId?: unknown };
    return typeof platformId === 'string' && platformId !== '' ? platformId.slice(0, 256) : undefined;
  } catch {
    return undefined;
  }
}
