// The two platforms of a simulated world. They outlive every host: what people see stays. `chat` answers posts and does
// not drop repeats, so whoever posts twice is seen twice. `desk` is a source of its own: it knows keys, and either gets
// posts or asks for them.
import type { Clock } from '../../src/runtime/clock.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import {
  DOES_NOTHING,
  HEARS_ALL,
  type OutboundMessage,
  type PostOutcome,
  type Surface,
} from '../../src/surfaces/surface.ts';
import type { PostFault } from './faults.ts';
import { fileText } from './people.ts';

export interface Shown {
  key: string;
  agent: string;
  platform: string;
  room: string;
  text: string;
  at: number;
  replyTo?: string;
}

export interface PlatformPorts {
  clock: Clock;
  /** False once the host that holds this surface has died. Its calls then do nothing and are never answered. */
  isAlive(): boolean;
  fault(key: string): PostFault | undefined;
  onShown(shown: Shown): void;
  note(what: string): void;
  /** Files are a message of their own. */
  filesApart: boolean;
  problem(what: string): void;
}

export const MAX_CHARS = 4_000;
const LATE_MS = 6_000;
const never = (): Promise<never> => new Promise(() => undefined);

export class SimPlatform {
  readonly shown: Shown[] = [];
  /** By key: how often. Only `desk` knows keys. */
  readonly #ids = new Map<string, string>();

  show(shown: Shown, dropsRepeats: boolean): string {
    const known = this.#ids.get(shown.key);
    if (known !== undefined && dropsRepeats) return known;
    this.shown.push(shown);
    const id = `p${this.shown.length}`;
    this.#ids.set(shown.key, known ?? id);
    return id;
  }

  find(key: string): string | undefined {
    return this.#ids.get(key);
  }
}

export function chatSurface(platform: SimPlatform, ports: PlatformPorts): Surface {
  const call = (what: string, key: string, perform: () => PostOutcome): Promise<PostOutcome> => {
    if (!ports.isAlive()) return never();
    const fault = ports.fault(key);
    ports.note(`chat ${what} ${key} ${fault ?? ''}`);
    return answer(ports, fault, perform);
  };
  const show = (message: OutboundMessage): PostOutcome => {
    const shown = shownOf('chat', message, ports.clock.now());
    const platformId = platform.show(shown, false);
    readShown(message, ports);
    ports.onShown(shown);
    return { type: 'visible', platformId };
  };
  return {
    id: 'chat',
    platform: 'chat',
    capabilities: {
      hears: HEARS_ALL,
      does: { ...DOES_NOTHING, edits: true, deletes: true, reactions: true, typing: true, files: true },
      files: { maxBytes: 100_000, apart: ports.filesApart },
      threads: 'topics',
      membership: false,
      idempotentForMs: 0,
      findable: true,
      maxChars: MAX_CHARS,
      maxParts: 20,
    },
    start: () => Promise.resolve(),
    post: (message) => call('post', message.idempotencyKey, () => show(message)),
    react: ({ idempotencyKey: key }) =>
      call('react', key, () => ({ type: 'visible', platformId: `r-${key}` })),
    amend: ({ idempotencyKey: key, target }) =>
      call('amend', key, () => ({ type: 'visible', platformId: target.platformIds.at(-1) ?? '' })),
    find(message) {
      if (!ports.isAlive()) return never();
      const platformId = platform.find(message.idempotencyKey);
      ports.note(`chat find ${message.idempotencyKey} ${platformId ?? 'absent'}`);
      return Promise.resolve(platformId === undefined ? { type: 'absent' } : { type: 'visible', platformId });
    },
    attachment: ({ attachment }) => {
      const bytes = Buffer.from(fileText(attachment.id));
      return ports.isAlive() ? Promise.resolve({ type: 'bytes', bytes, contentType: 'text/plain' }) : never();
    },
    typing: () => Promise.resolve(),
    stop: () => Promise.resolve(),
  };
}

/** The bytes of a file that is shown must be those that the agent sent. */
function readShown({ attachments = [], idempotencyKey }: OutboundMessage, ports: PlatformPorts): void {
  for (const file of attachments) {
    file.bytes().then(
      (bytes) => {
        const text = Buffer.from(bytes).toString();
        if (!text.startsWith('as a file: re '))
          ports.problem(`the file of ${idempotencyKey} is not what was sent: ${text}`);
      },
      (error: unknown) => {
        if (ports.isAlive()) ports.note(`the file of ${idempotencyKey} was not read: ${String(error)}`);
      },
    );
  }
}

export function deskSurface(platform: SimPlatform, ports: PlatformPorts, pulls: boolean): Surface {
  const deliver = (key: string, body: string): Promise<PostOutcome> => {
    if (!ports.isAlive()) return never();
    const fault = ports.fault(key);
    ports.note(`desk post ${key} ${fault ?? ''}`);
    return answer(ports, fault, () => ({
      type: 'visible',
      platformId: showBody(platform, key, JSON.parse(body) as SentBody, ports),
    }));
  };
  const options = { id: 'desk', platform: 'desk', maxChars: MAX_CHARS, files: true };
  return sourceSurface(pulls ? options : { ...options, deliver });
}

/** What a source reads of a send. */
export interface SentBody {
  type?: string;
  idempotencyKey: string;
  agent?: string;
  text?: string;
  place?: { conversationId: string };
}

export function showBody(
  platform: SimPlatform,
  key: string,
  body: SentBody,
  ports: Pick<PlatformPorts, 'clock' | 'onShown'>,
): string {
  const isMessage = body.text !== undefined && (body.type === undefined || body.type === 'message');
  if (!isMessage) return `d-${key}`;
  const room = body.place?.conversationId ?? '';
  const shown = {
    key,
    agent: body.agent ?? '',
    platform: 'desk',
    room,
    text: body.text ?? '',
    at: ports.clock.now(),
  };
  const isNew = platform.find(key) === undefined;
  const id = platform.show(shown, true);
  if (isNew) ports.onShown(shown);
  return id;
}

function shownOf(platform: string, message: OutboundMessage, at: number): Shown {
  const { idempotencyKey: key, agent, text, place, replyTo } = message;
  const shown = { key, agent, platform, room: place.conversationId, text, at };
  return replyTo === undefined ? shown : { ...shown, replyTo: replyTo.eventId };
}

/** The answer to one call. An answer to a host that has died meanwhile never comes. */
function answer(
  ports: Pick<PlatformPorts, 'clock' | 'isAlive'>,
  fault: PostFault | undefined,
  perform: () => PostOutcome,
): Promise<PostOutcome> {
  const { clock } = ports;
  switch (fault) {
    case 'busy':
      return Promise.resolve({ type: 'retry', afterMs: 900, error: '429' });
    case 'error':
      return Promise.reject(new Error('500'));
    case 'refused':
      return Promise.resolve({ type: 'refused', error: 'the channel is archived' });
    case 'absent':
      return Promise.resolve({ type: 'unknown', error: 'the answer was lost' });
    case 'hang':
      return never();
    case 'shown':
      perform();
      return Promise.resolve({ type: 'unknown', error: 'the answer was lost' });
    case 'late': {
      const outcome = perform();
      return new Promise((resolve) => clock.after(LATE_MS, () => resolve(outcome)));
    }
    case undefined: {
      const outcome = perform();
      return ports.isAlive() ? Promise.resolve(outcome) : never();
    }
  }
}
