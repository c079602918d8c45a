import { createApply } from '../../src/host/kernel/change.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { openSurfaces } from '../../src/cli/surfaces.ts';
import { openWebChat } from '../../src/cli/web-chat.ts';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { createTokens } from '../../src/host/security/tokens.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { createAmendments } from '../../src/host/web-chat/amendments.ts';
import { questionOn } from '../../src/host/web-chat/questions.ts';
import type { Host } from '../../src/host/host.ts';
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { systemRandom } from '../../src/runtime/random.ts';
import type { Store } from '../../src/store/store.ts';
import type { IngestResult, SurfacePlace } from '../../src/surfaces/surface.ts';
import { surfaceContract } from './surface-contract.ts';

let count = 0;

function event(platform: string, place: SurfacePlace, text: string): ChatEvent {
  return {
    eventId: `said-${++count}`,
    at: '2026-06-02T09:00:00Z',
    platform,
    workspaceId: place.workspaceId,
    conversation: { id: place.conversationId, kind: 'channel' },
    author: { id: 'ada', kind: 'human', displayName: 'Ada' },
    type: 'message',
    text,
  };
}

function one(results: readonly IngestResult[]): IngestResult {
  const [result] = results;
  if (result === undefined) throw new Error('no result');
  return result;
}

/** What agents did, as the log has it. */
async function loggedBy(store: Store) {
  const rows = await store.scan('log', 'byPosition', { limit: 100 });
  const done = rows.filter(({ author }) => author === 'agent:lead').map(({ record }) => record.event);
  const [first] = rows;
  const amendments = await createAmendments(store)(first?.conversation ?? '');
  const textOf = ({ eventId, text = '' }: { eventId: string; text?: string | undefined }): string[] => {
    const { deleted, edit } = amendments.of(eventId);
    return deleted ? [] : [edit?.text ?? text];
  };
  return {
    texts: done.flatMap((said) => (said.type === 'message' ? textOf(said) : [])),
    signals: done.flatMap((said) => (said.type === 'reaction' ? [said.signal] : [])),
    files: done.flatMap((said) =>
      ('attachments' in said ? (said.attachments ?? []) : []).map(({ name = '' }) => name),
    ),
  };
}

surfaceContract('web', async (store, clock) => {
  const attention = attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] });
  const tokens = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
  await tokens.issue({ kind: 'person', subject: 'ada', label: 'Ada' });
  const { door } = openWebChat(store, tokens, attention);
  const place = { platform: 'web', workspaceId: 'local', conversationId: 'general' };
  let host: Host | undefined;
  const rows = () => store.scan('log', 'byPosition', { limit: 100 });
  const asked = async () =>
    (
      await Promise.all((await rows()).map(async (row) => ({ row, question: await questionOn(store, row) })))
    ).filter(({ question }) => question !== undefined);
  return {
    surface: door,
    place,
    say: async (given: Host, text) => {
      host = given;
      return one(await door.ingest([event('web', place, text)]));
    },
    /** As a person reads it: how a question ended stands under it. */
    async shown() {
      const shown = await loggedBy(store);
      const [first] = await asked();
      const outcome = first?.question?.outcome;
      const texts =
        outcome === undefined ? shown.texts : shown.texts.with(0, `${shown.texts[0]}\n${outcome}`);
      return { ...shown, texts };
    },
    questions: {
      approver: 'web/local/ada',
      buttons: async () =>
        (await asked()).flatMap(({ question }) => question?.choices.map(({ label }) => label) ?? []),
      async press(label: string) {
        const [first] = await asked();
        const choice = first?.question?.choices.find((choosable) => choosable.label === label)?.id;
        const [sent] = await store.scan('outbox', 'byEvent', { eq: [first?.row.key ?? ''], limit: 1 });
        if (choice === undefined || sent === undefined) throw new Error('there is no question');
        await host?.surfaces.act('web', {
          actId: 'a1',
          place,
          person: 'ada',
          type: 'choose',
          question: sent.key,
          choice,
        });
      },
    },
  };
});

/** As a source does it that knows its messages by their keys. */
function amend(shown: Map<string, Record<string, unknown>>, key: string, text: unknown): void {
  const message = shown.get(key);
  if (text === undefined) shown.delete(key);
  else shown.set(key, { ...message, text });
}

surfaceContract('source, pushed to', async (store, clock) => {
  const shown = new Map<string, Record<string, unknown>>();
  const receiver = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => (body += part));
    request.on('end', () => {
      const message = JSON.parse(body) as Record<string, unknown> & { idempotencyKey: string };
      const { targetEventId, type } = message;
      if (type === 'edit' || type === 'delete') amend(shown, String(targetEventId).slice(2), message['text']);
      else shown.set(message.idempotencyKey, message);
      response.end(JSON.stringify({ platformId: `p-${message.idempotencyKey}` }));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;
  const source = {
    id: 'irc',
    url: `http://127.0.0.1:${port}/`,
    secret: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
    files: true,
  };
  const settings = hostSettingsSchema.parse({ sources: [source] });
  const attention = attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] });
  const tokens = createTokens({ store, apply: createApply(store), clock, random: systemRandom });
  const { door } = openWebChat(store, tokens, attention);
  const surface = openSurfaces(settings, [], systemClock, door).surfaces.find(({ id }) => id === 'irc');
  if (surface === undefined) throw new Error('no surface');
  const place = { platform: 'irc', workspaceId: 'w', conversationId: 'dev' };
  return {
    surface,
    place,
    say: async (host: Host, text) => one(await host.ingest([event('irc', place, text)], 'irc')),
    async shown() {
      const all = [...shown.values()];
      return {
        texts: all.flatMap(({ type, text }) => (type === 'message' ? [String(text)] : [])),
        signals: all.flatMap(({ type, signal }) => (type === 'reaction' ? [String(signal)] : [])),
        files: all.flatMap(({ attachments = [] }) =>
          (attachments as { name: string }[]).map(({ name }) => name),
        ),
      };
    },
  };
});
