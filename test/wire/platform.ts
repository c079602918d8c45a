// The platform behind the tests' source: a real HTTP server on loopback. The host posts signed sends to it, and it keeps
// what people would see. A test may decide what becomes of a post: shown, refused, to be retried, or left unanswered.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { OutboundMessage, OutboundReaction } from '../../src/surfaces/surface.ts';
import { verifyWebhook } from '../../src/transport/webhook-signature.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A send as the platform got it. */
export type Posted = { type: 'message' | 'reaction' | 'edit' | 'delete'; idempotencyKey: string } & Partial<
  Omit<OutboundMessage & OutboundReaction, 'replyTo' | 'target' | 'mentions'>
> & {
    replyTo?: string;
    targetEventId?: string;
    targetEventIds?: readonly string[];
    mentions?: readonly string[];
  };

/** A question of the host about a conversation. */
type Asked = { type: 'attachment'; eventId: string; attachment: { id: string } } | { type: 'history' };

interface Sign {
  type: 'typing';
  agent: string;
  place: { conversationId: string };
  typing: boolean;
}

export type Fate = 'show' | 'refuse' | 'retry' | 'hang';

export interface Platform {
  url: string;
  /** Every post that was shown, in order. The same key is shown once. */
  shown: Posted[];
  /** Every post that arrived, whatever became of it. */
  arrived: Posted[];
  /** The texts of the shown messages. */
  texts(): string[];
  /** Decides what becomes of a post. Repeats of a shown key are answered as the first. */
  onPost: (post: Posted) => Fate;
  /** The bytes of attachments by their id, and what was said before in every conversation. */
  files: Map<string, { contentType: string; bytes: Buffer }>;
  history: object[];
  /** Whether it leaves such questions unanswered. */
  isMute: boolean;
  /** The signs that an agent is at work, in order: `lead works in C1`, `lead rests in C1`. */
  signs: string[];
  /** What the host asked for, in order. */
  asked: { type: 'attachment' | 'history'; eventId?: string }[];
  /** The platform's own id of a post. Default: p1, p2, …, over all rooms. */
  nameOf: (post: Posted) => string;
}

export async function startPlatform(
  now: () => number,
  finished: (end: () => void) => void = onTestFinished,
): Promise<Platform> {
  const shownAs = new Map<string, string>();
  const platform: Platform = {
    url: '',
    shown: [],
    arrived: [],
    texts: () => platform.shown.flatMap(({ type, text = '' }) => (type === 'message' ? [text] : [])),
    onPost: () => 'show',
    files: new Map(),
    history: [],
    isMute: false,
    signs: [],
    asked: [],
    nameOf: () => `p${shownAs.size + 1}`,
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const signed = verifyWebhook(SECRET, request.headers, body, now());
      const given = JSON.parse(body) as Posted | Asked | Sign;
      if (signed.ok && given.type === 'typing') {
        platform.signs.push(
          `${given.agent} ${given.typing ? 'works' : 'rests'} in ${given.place.conversationId}`,
        );
        return response.writeHead(204).end();
      }
      if (signed.ok && (given.type === 'attachment' || given.type === 'history'))
        return tell(given, response);
      const answer = signed.ok ? take(given as Posted) : { status: 401, body: signed };
      if (answer === undefined) return; // it hangs
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  }).listen(0, '127.0.0.1');
  const tell = (given: Asked, response: ServerResponse): void => {
    platform.asked.push(given);
    if (platform.isMute) return;
    const file = given.type === 'attachment' ? platform.files.get(given.attachment.id) : undefined;
    const contentType = file?.contentType ?? 'application/json';
    const missing = given.type === 'attachment' && file === undefined;
    response.writeHead(missing ? 404 : 200, { 'content-type': contentType });
    response.end(file?.bytes ?? JSON.stringify({ events: platform.history }));
  };
  const take = (post: Posted): { status: number; body: object } | undefined => {
    platform.arrived.push(post);
    const known = shownAs.get(post.idempotencyKey);
    if (known !== undefined) return { status: 200, body: { platformId: known } };
    switch (platform.onPost(post)) {
      case 'refuse':
        return { status: 422, body: { error: 'msg_too_long' } };
      case 'retry':
        return { status: 503, body: {} };
      case 'hang':
        return undefined;
      case 'show': {
        const platformId = platform.nameOf(post);
        shownAs.set(post.idempotencyKey, platformId);
        platform.shown.push(post);
        return { status: 200, body: { platformId } };
      }
    }
  };
  await once(server, 'listening');
  finished(() => {
    server.closeAllConnections();
    server.close();
  });
  platform.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return platform;
}
