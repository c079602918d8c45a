// Hands events to the host, those of one room or thread in the order in which they came. The answer says whether the
// platform may forget them: only once they are stored, or never will be.
import type { GlyphReaction, SourceEvent } from '../protocol/source-event.ts';
import type { IngestResult, SurfaceHost } from './surface.ts';

export type Taken =
  /** The platform may forget it. */
  | { type: 'done' }
  /** The platform has to send it again. */
  | { type: 'later'; why: string }
  | { type: 'malformed'; problem: string };

export type Handed = SourceEvent | GlyphReaction;

/** `events` is called when its turn has come: whatever has to be looked up first is looked up in order too. */
export type HandOver = (key: string, events: () => Promise<readonly Handed[]>) => Promise<Taken>;

export const DONE: Taken = { type: 'done' };

type Host = Pick<SurfaceHost, 'ingest' | 'ignored'>;

export function createHandOver(host: Host): HandOver {
  const inOrder = createOrder();
  return (key, events) => inOrder(key, async () => ingest(host, await events()));
}

/** Refusals that the same event gets again, however often it is sent. */
const FOR_GOOD: ReadonlySet<string> = new Set(['invalid_event', 'wrong_platform', 'wrong_source']);

async function ingest(host: Host, events: readonly Handed[]): Promise<Taken> {
  if (events.length === 0) return DONE;
  const results = await host.ingest(events);
  for (const [index, result] of results.entries()) {
    const event = events[index];
    if (result.status !== 'refused' || event === undefined) continue;
    if (!FOR_GOOD.has(result.error.code)) return { type: 'later', why: result.error.message };
    const again = await unmarked(host, event);
    if (again?.status !== 'accepted' && again?.status !== 'repeat') refuse(host, event, result);
  }
  return DONE;
}

/** Our login wrote it, but not for this host: it is a message like that of any other app. */
async function unmarked(host: Host, event: Handed): Promise<IngestResult | undefined> {
  if (!('echoOf' in event)) return undefined;
  const { echoOf: _, ...bare } = event;
  const [result] = await host.ingest([bare]);
  return result;
}

/** What the host does not take is counted with the reason, and the stream goes on. */
function refuse(host: Host, event: Handed, result: IngestResult): void {
  // Most emoji stand for no signal.
  if (event.type === 'reaction') return;
  host.ignored(result.status === 'refused' ? `refused: ${result.error.message}` : 'refused');
}

/** Runs the work of one key one after the other. */
function createOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
