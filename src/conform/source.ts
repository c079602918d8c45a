// The source that the scenarios use: it posts events to `/v1/events` and reads what agents said from `/v1/outbox`.
import { z } from 'zod';
import type { TestSource } from './room.ts';

const ingested = z.object({
  events: z.array(z.object({ status: z.string(), error: z.object({ message: z.string() }).optional() })),
});
const outbox = z.object({
  messages: z.array(
    z.object({
      type: z.string(),
      idempotencyKey: z.string(),
      text: z.string().optional(),
      glyph: z.string().optional(),
      place: z.object({ conversationId: z.string() }),
    }),
  ),
});

export function httpSource({ url, token }: { url: string; token: string }): TestSource {
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}${path}`, { ...post, headers });
    const answer = (await response.json()) as { error?: { message?: string } };
    if (response.status >= 400)
      throw new Error(`${path} answered ${response.status}: ${answer.error?.message ?? ''}`);
    return answer;
  };
  const pulled = async (
    conversation: string,
    wanted: 'message' | 'reaction',
    ack: (key: string) => object = shownAs,
  ) => {
    const { messages } = outbox.parse(await call('/v1/outbox?limit=200'));
    const here = messages.filter(
      ({ place, type }) => place.conversationId === conversation && type === wanted,
    );
    for (const { idempotencyKey: key } of here) await call('/v1/outbox/ack', { key, ...ack(key) });
    return here;
  };
  return {
    async post(events) {
      const { events: rows } = ingested.parse(await call('/v1/events', { events }));
      return rows.map(({ status, error }) =>
        error === undefined ? { status } : { status, problem: error.message },
      );
    },
    said: async (conversation) => (await pulled(conversation, 'message')).map(({ text }) => text ?? ''),
    refuse: async (conversation, refused) => {
      const messages = await pulled(conversation, 'message', () => ({ refused }));
      return messages.map(({ text }) => text ?? '');
    },
    glyphs: async (conversation) => (await pulled(conversation, 'reaction')).map(({ glyph }) => glyph ?? ''),
  };
}

/** The platform has shown it, under an id of its own. */
function shownAs(key: string): object {
  return { platformId: `conform-${key}`.slice(0, 200) };
}
