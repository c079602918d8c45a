// Takes what GitHub tells, whichever way it came. Events of a thread are handed to the host in the order in which they
// came. The body of an issue goes first: whoever is called below it must know what it is about.
import { createHandOver, DONE, type HandOver, type Taken } from '../hand-over.ts';
import type { SourceEvent } from '../../protocol/source-event.ts';
import type { SurfaceHost } from '../surface.ts';
import type { Login } from './login.ts';
import { deliverySchema, type Delivery } from './payload.ts';
import { readDelivery, threadIn } from './read-event.ts';
import type { Known } from './read-message.ts';

export interface TakeDeps {
  host: Pick<SurfaceHost, 'ingest' | 'ignored'>;
  /** Several logins hand over what they hear through one queue. */
  handOver: Taker['handOver'];
  known: (login: Login) => Known;
  /** Undefined: not logged in yet. */
  login: () => Login | undefined;
}

export interface Taker {
  /** `name`: of the event, as the header of the webhook says it. */
  take(name: string | undefined, body: unknown): Promise<Taken>;
  /** Hands over what was said in a thread, behind the body of its issue. */
  handOver(thread: string, events: readonly SourceEvent[], root?: SourceEvent): Promise<Taken>;
}

/** So many issues are remembered as known to the host. The others are handed over again, which changes nothing. */
const ROOTS_MAX = 10_000;

export function createThreadHandOver(host: TakeDeps['host']): Taker['handOver'] {
  const inOrder: HandOver = createHandOver(host);
  const roots = new Set<string>();
  return async (thread, events, root) => {
    const isNew = root !== undefined && !roots.has(root.conversation.id);
    const taken = await inOrder(thread, () => Promise.resolve(isNew ? [root, ...events] : events));
    if (taken.type === 'done' && root !== undefined) {
      if (roots.size >= ROOTS_MAX) roots.clear();
      roots.add(root.conversation.id);
    }
    return taken;
  };
}

export function createTaker(deps: TakeDeps): Taker {
  const { host } = deps;
  const taker: Taker = {
    async take(name, body) {
      const parsed = deliverySchema.safeParse(body);
      if (name === undefined || !parsed.success) {
        const issue = parsed.success ? undefined : parsed.error.issues[0];
        host.ignored('malformed');
        const problem =
          name === undefined
            ? 'x-github-event: missing'
            : `${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'invalid'}`;
        return { type: 'malformed', problem };
      }
      const login = deps.login();
      if (login === undefined) return { type: 'later', why: 'not logged in to GitHub yet' };
      const stranger = strangerIn(parsed.data, login);
      if (stranger === undefined) return takeDelivery(deps, taker, name, parsed.data, login);
      host.ignored(stranger);
      return DONE;
    },
    handOver: deps.handOver,
  };
  return taker;
}

/** Why it is not for us. */
function strangerIn({ installation, repository }: Delivery, login: Login): string | undefined {
  if (installation && login.installations.size > 0 && !login.installations.has(installation.id))
    return 'unknown_installation';
  if (repository && !login.repositories.includes(repository.full_name)) return 'unknown_repository';
  return undefined;
}

async function takeDelivery(
  { host, known }: TakeDeps,
  taker: Taker,
  name: string,
  delivery: Delivery,
  login: Login,
): Promise<Taken> {
  const read = readDelivery(name, delivery, known(login));
  switch (read.type) {
    case 'ignored':
      if (read.what !== undefined) host.ignored(read.what);
      return DONE;
    case 'malformed':
      host.ignored('malformed');
      return read;
    case 'events':
      return taker.handOver(threadIn(delivery), read.events, read.root);
  }
}
