// What every surface owes the host, whatever is behind it: run unchanged against each one, under a real host with a
// memory store. A subject says how a person writes there and what people see.
import { describe, expect, it, onTestFinished } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { callTool } from '../../src/host/tools/call.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import type { IngestResult, OutboundMessage, Surface, SurfacePlace } from '../../src/surfaces/surface.ts';

export interface SurfaceSubject {
  surface: Surface;
  place: SurfacePlace;
  /** A person writes; resolves with what the platform is told once it may forget the message. */
  say: (host: Host, text: string) => Promise<IngestResult>;
  /** What people see of agents there, in order: texts, then reactions as signals. */
  shown: () => Promise<{ texts: string[]; signals: string[] }>;
}
export type MakeSubject = (store: Store, clock: VirtualClock) => SurfaceSubject | Promise<SurfaceSubject>;

const START = Date.parse('2026-06-02T09:00:00Z');

async function world(make: MakeSubject) {
  const clock = new VirtualClock(START);
  const store = openMemoryStore({ clock, codec: hostStateCodec });
  const subject = await make(store, clock);
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    attention: attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }),
    settings: hostSettingsSchema.parse({}),
    configVersion: 'v1',
    surfaces: [internalSurface('earshot'), subject.surface],
    findSecrets: () => [],
  });
  onTestFinished(async () => {
    await host.stop();
    await store.close();
  });
  const tool = async (name: 'chat.send_message' | 'chat.react', args: Record<string, unknown>) => {
    const result = await callTool(name, args, host.toolCaller('lead'));
    // A reaction is posted behind the answer: looked for until it is through.
    for (const state of ['queued', 'sending'] as const) {
      while (
        (await store.scan('outbox', 'bySurface', { eq: [subject.surface.id, state], limit: 1 })).length > 0
      )
        await host.poster.idle();
    }
    return result;
  };
  const target = `channel:${subject.place.conversationId}`;
  const send = (inReplyTo: string, idempotencyKey: string, text: string) =>
    tool('chat.send_message', {
      target,
      text,
      inReplyTo,
      visibility: 'channel',
      directedness: 'ambient',
      idempotencyKey,
    });
  return { ...subject, host, store, tool, send };
}

function outbound(place: SurfacePlace, key: string, text: string): OutboundMessage {
  const part = { number: 1, of: 1 };
  const more = {
    visibility: 'channel',
    mentions: [],
    part,
    persona: { name: 'lead' },
    createdAt: START,
  } as const;
  return { idempotencyKey: `lead:${key}`, eventId: `out_${key}`, agent: 'lead', place, text, ...more };
}

export function surfaceContract(name: string, make: MakeSubject): void {
  describe(`the surface ${name}`, () => {
    it('hands over events that the log takes, and answers once they are in it', async () => {
      const { say, host, store, surface } = await world(make);
      const result = await say(host, '@lead hello');
      expect(result.status).toBe('accepted');
      const event = (await store.get('log', result.eventId))?.record.event;
      expect(chatEventSchema.safeParse(event).success).toBe(true);
      expect(event).toMatchObject({ type: 'message', text: '@lead hello', platform: surface.platform });
      expect(event?.author.kind).toBe('human');
    });

    it('shows what an agent says once per key, and it enters the log as the agent said it', async () => {
      const { say, host, send, shown, store, surface } = await world(make);
      const { eventId } = await say(host, '@lead hello');
      const first = await send(eventId, 'k1', 'Hello to you too.');
      expect(first.isError).not.toBe(true);
      await send(eventId, 'k1', 'Hello to you too.');
      expect((await shown()).texts).toEqual(['Hello to you too.']);
      const visible = await store.scan('outbox', 'bySurface', { eq: [surface.id, 'visible'], limit: 5 });
      expect(visible.map(({ platformId }) => typeof platformId)).toEqual(['string']);
      const said = await store.get('log', visible[0]?.eventId ?? '');
      expect(said).toMatchObject({ author: 'agent:lead', type: 'message' });
    });

    it('shows in the order in which it was said', async () => {
      const { say, host, send, shown } = await world(make);
      const { eventId } = await say(host, '@lead count');
      const numbers = Array.from({ length: 5 }, (_, n) => `number ${n}`);
      for (const text of numbers) await send(eventId, text, text);
      expect((await shown()).texts).toEqual(numbers);
    });

    it('shows a reaction once, if it has any', async () => {
      const { say, host, tool, shown, surface } = await world(make);
      const { eventId } = await say(host, '@lead hello');
      const signal = { inReplyTo: eventId, signal: 'seen' };
      expect((await tool('chat.react', signal)).isError).not.toBe(true);
      await tool('chat.react', signal);
      expect((await shown()).signals).toEqual(surface.capabilities.does.reactions ? ['seen'] : []);
    });

    it('knows what it has shown, or takes the same key again without showing it twice', async () => {
      const { say, host, send, shown, surface, place, store } = await world(make);
      const { eventId } = await say(host, '@lead hello');
      await send(eventId, 'k1', 'once');
      const [row] = await store.scan('outbox', 'bySurface', { eq: [surface.id, 'visible'], limit: 1 });
      const message = { ...outbound(place, 'k1', 'once'), eventId: row?.eventId ?? '' };
      const again =
        surface.capabilities.idempotentForMs > 0 ? await surface.post(message) : await surface.find(message);
      expect(again).toMatchObject({ type: 'visible', platformId: row?.platformId });
      expect((await shown()).texts).toEqual(['once']);
    });

    it('refuses or shows whole what is longer than it takes, and never a part', async () => {
      const { say, host, shown, surface, place } = await world(make);
      await say(host, '@lead hello');
      const long = 'x'.repeat(surface.capabilities.maxChars + 1);
      const outcome = await surface.post(outbound(place, 'long', long));
      if (outcome.type === 'refused') expect(outcome.error).toContain(String(surface.capabilities.maxChars));
      else expect((await shown()).texts).toEqual([long]);
    });

    it('tells who is there, where it says that it can', async () => {
      const { say, host, surface, place } = await world(make);
      await say(host, '@lead hello');
      const members = await surface.members?.(place);
      if (members === undefined) return;
      expect(surface.capabilities.membership).toBe(true);
      expect(members.humans).toBeGreaterThan(0);
      expect(members.agents).toBe(1);
    });

    it('takes a typing sign, and stops as often as it is told to', async () => {
      const { surface, place } = await world(make);
      await surface.typing?.(place, 'lead', true);
      await surface.stop();
      await surface.stop();
    });
  });
}
