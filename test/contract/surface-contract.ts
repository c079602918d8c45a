// What every surface owes the host, whatever is behind it: run unchanged against each one, under a real host with a
// memory store. A subject says how a person writes there and what people see.
import { setTimeout as rest } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { hostStateCodec } from '../../src/host/kernel/conversation.ts';
import { createHost, type Host } from '../../src/host/host.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { placeOfSend } from '../../src/host/ingest/own-posts.ts';
import { agentsShown } from '../../src/host/kernel/accounts.ts';
import { messageOf, namedOnPlatform } from '../../src/host/outbox/on-platform.ts';
import { callTool } from '../../src/host/tools/call.ts';
import type { ToolName } from '../../src/protocol/tool-name.ts';
import { refusalOf } from '../../src/protocol/tool.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { seededRandom, systemRandom } from '../../src/runtime/random.ts';
import { openMemoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import type { OutboxRow } from '../../src/store/tables.ts';
import { internalSurface } from '../../src/surfaces/internal/internal.ts';
import { cases, SEED } from '../long.ts';
import { type Fault, FAULTS, type FaultProxy } from '../surfaces/fault-proxy.ts';
import type { IngestResult, OutboundMessage, Surface, SurfacePlace } from '../../src/surfaces/surface.ts';

export interface SurfaceSubject {
  surface: Surface;
  place: SurfacePlace;
  /** A person writes; resolves with what the platform is told once it may forget the message. */
  say: (host: Host, text: string) => Promise<IngestResult>;
  /** What people see of agents there, in order: texts, reactions as signals, and the names of files. */
  shown: () => Promise<{ texts: string[]; signals: string[]; files?: string[] }>;
  /** Whom the platform has pinged because of an agent's message, as it reads its own syntax. */
  pinged?: () => Promise<string[]>;
  /** Where there are buttons: who may approve, which buttons people see now, and that person's press of one. */
  questions?: { approver: string; buttons(): Promise<string[]>; press(label: string): Promise<void> };
  /** Ends the login, and gives it back. `state`: how the surface is then; one of several logins is not all of it. */
  login?: { end(): void; renew(): void; state?: 'down' | 'limited' };
  /** How many agents and other apps are there. Default: one. */
  agents?: number;
  /** Where there is a network between the surface and its platform: the proxy, and what asks or shows a message. */
  faults?: {
    proxy: FaultProxy;
    isPost: (path: string) => boolean;
    isFind: (path: string) => boolean;
    /** What edits or deletes a message, where the surface does that. */
    isAmend?: (path: string) => boolean;
  };
}
export type MakeSubject = (store: Store, clock: VirtualClock) => SurfaceSubject | Promise<SurfaceSubject>;

const START = Date.parse('2026-06-02T09:00:00Z');

async function world(make: MakeSubject, limits: Record<string, unknown> = {}) {
  const clock = new VirtualClock(START);
  const store = openMemoryStore({ clock, codec: hostStateCodec });
  const subject = await make(store, clock);
  const host = await createHost({
    store,
    clock,
    random: systemRandom,
    log: silentLog,
    attention: attentionSettingsSchema.parse({ agents: [{ id: 'lead' }] }),
    settings: hostSettingsSchema.parse({
      limits,
      sensitive: [{ reason: 'money', words: ['refund'] }],
      approvers: [subject.questions?.approver ?? 'role:owner'],
    }),
    configVersion: 'v1',
    surfaces: [internalSurface('earshot'), subject.surface],
    findSecrets: () => [],
  });
  onTestFinished(async () => {
    await host.stop();
    await store.close();
  });
  const tool = async (name: ToolName, args: Record<string, unknown>) => {
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
  const messageArgs = (inReplyTo: string, idempotencyKey: string, text: string) => ({
    target,
    text,
    inReplyTo,
    visibility: 'channel',
    directedness: 'ambient',
    idempotencyKey,
  });
  const send = (inReplyTo: string, key: string, text: string, more = {}) =>
    tool('chat.send_message', { ...messageArgs(inReplyTo, key, text), ...more });
  /** Without waiting until it is through. */
  const begin = (inReplyTo: string, key: string, text: string, more = {}) =>
    callTool('chat.send_message', { ...messageArgs(inReplyTo, key, text), ...more }, host.toolCaller('lead'));
  /** What the agent has posted, in order. */
  const visible = () =>
    store.scan('outbox', 'bySurface', { eq: [subject.surface.id, 'visible'], limit: 100 });
  /** How many records of this type the agent has in the log. */
  const logged = async (type: string): Promise<number> => {
    const rows = await store.scan('log', 'byPosition', { limit: 1_000 });
    return rows.filter((row) => row.author === 'agent:lead' && row.type === type).length;
  };
  const inOutbox = async (state: OutboxRow['state']): Promise<number> =>
    (await store.scan('outbox', 'bySurface', { eq: [subject.surface.id, state], limit: 10_000 })).length;
  /** Until so many sends are in the outbox, whatever became of them. */
  const queued = async (count: number): Promise<void> => {
    const states = ['queued', 'sending', 'unknown', 'visible'] as const;
    for (;;) {
      const counts = await Promise.all(states.map(inOutbox));
      if (counts.reduce((sum, one) => sum + one, 0) >= count) return;
      await rest(1);
    }
  };
  /** Lets time pass until so many are visible, but never while the platform is at work. */
  const passTime = async (proxy: FaultProxy, count: number): Promise<void> => {
    while ((await inOutbox('visible')) < count) {
      if ((await inOutbox('failed')) + (await inOutbox('lost')) > 0) throw new Error('a send was given up');
      await quiet(proxy);
      clock.advance(STEP_MS);
    }
  };
  return { ...subject, host, store, clock, tool, send, begin, queued, passTime, visible, logged };
}

/** Until nothing has been under way for a few turns of the event loop. */
async function quiet(proxy: FaultProxy): Promise<void> {
  for (let turns = 0; turns < 3; turns++) {
    if (proxy.underWay > 0) turns = 0;
    await rest(2);
  }
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
      const result = await say(host, 'lead, can you say hello?');
      expect(result.status).toBe('accepted');
      const event = (await store.get('log', result.eventId))?.record.event;
      expect(chatEventSchema.safeParse(event).success).toBe(true);
      expect(event).toMatchObject({
        type: 'message',
        text: 'lead, can you say hello?',
        platform: surface.platform,
      });
      expect(event?.author.kind).toBe('human');
    });

    it('shows what an agent says once per key, and it enters the log as the agent said it', async () => {
      const { say, host, send, shown, store, surface } = await world(make);
      const { eventId } = await say(host, 'lead, can you say hello?');
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
      const { eventId } = await say(host, 'lead, can you count?');
      const numbers = Array.from({ length: 5 }, (_, n) => `number ${n}`);
      for (const text of numbers) await send(eventId, text, text);
      expect((await shown()).texts).toEqual(numbers);
    });

    it('shows a reaction once, if it has any', async () => {
      const { say, host, tool, shown, surface } = await world(make);
      const { eventId } = await say(host, 'lead, can you say hello?');
      const signal = { inReplyTo: eventId, signal: 'seen' };
      expect((await tool('chat.react', signal)).isError).not.toBe(true);
      await tool('chat.react', signal);
      expect((await shown()).signals).toEqual(surface.capabilities.does.reactions ? ['seen'] : []);
    });

    it('knows what it has shown, or takes the same key again without showing it twice', async () => {
      const { say, host, send, shown, surface, store } = await world(make);
      const { eventId } = await say(host, 'lead, can you say hello?');
      await send(eventId, 'k1', 'once');
      const [row] = await store.scan('outbox', 'bySurface', { eq: [surface.id, 'visible'], limit: 1 });
      const where = row === undefined ? undefined : await placeOfSend(store, row);
      if (row === undefined || where === undefined) throw new Error('it is not in the outbox');
      const message = messageOf(
        row,
        where,
        await namedOnPlatform(store, row),
        agentsShown(host.context, where),
      );
      const again =
        surface.capabilities.idempotentForMs > 0 ? await surface.post(message) : await surface.find(message);
      expect(again).toMatchObject({ type: 'visible', platformId: row.platformId });
      expect((await shown()).texts).toEqual(['once']);
    });

    it('amends its own message, where it can: people see the final text once, and it is one event', async () => {
      const { say, host, send, tool, shown, surface, visible, logged, store } = await world(make);
      const { edits, deletes } = surface.capabilities.does;
      const { eventId } = await say(host, 'lead, can you say hello?');
      await send(eventId, 'k1', 'Helo to you.');
      await send(eventId, 'k2', 'And this stays.');
      const [first] = await visible();
      const edit = { eventId: first?.eventId, text: 'Hello to you, **Ada**.' };
      const edited = await tool('chat.edit_message', edit);
      expect(refusalOf(edited)?.data.name).toBe(edits ? undefined : 'unsupported');
      await tool('chat.edit_message', edit);
      const texts = [edits ? 'Hello to you, **Ada**.' : 'Helo to you.', 'And this stays.'];
      expect((await shown()).texts).toEqual(texts);
      expect(await logged('edit')).toBe(edits ? 1 : 0);
      const deleted = await tool('chat.delete_message', { eventId: first?.eventId });
      expect(refusalOf(deleted)?.data.name).toBe(deletes ? undefined : 'unsupported');
      expect((await shown()).texts).toEqual(deletes ? ['And this stays.'] : texts);
      // What the platform tells of it is no second event.
      const rows = await store.scan('log', 'byPosition', { limit: 100 });
      expect(rows.filter(({ type }) => type === 'delete')).toHaveLength(deletes ? 1 : 0);
    });

    it.for(FAULTS)('amends once through the fault: %s', async (fault, context) => {
      const made = await world(make, PATIENT);
      const { faults, host, visible, tool } = made;
      if (faults?.isAmend === undefined) return context.skip('it amends nothing over a network');
      const { isAmend } = faults;
      const { eventId } = await made.say(host, 'lead, can you say hello?');
      await made.send(eventId, 'k1', 'Helo to you.');
      const [first] = await visible();
      let planted = 0;
      faults.proxy.fault = (path) => (isAmend(path) && planted++ === 0 ? fault : 'pass');
      const editing = tool('chat.edit_message', { eventId: first?.eventId, text: 'Hello to you.' });
      await made.queued(2);
      await made.passTime(faults.proxy, 2);
      await editing;
      expect((await made.shown()).texts).toEqual(['Hello to you.']);
      planted = 0;
      const deleting = tool('chat.delete_message', { eventId: first?.eventId });
      await made.queued(3);
      await made.passTime(faults.proxy, 3);
      await deleting;
      expect((await made.shown()).texts).toEqual([]);
      expect(planted).toBeGreaterThan(0);
      expect([await made.logged('edit'), await made.logged('delete')]).toEqual([1, 1]);
    });

    it('refuses or shows whole what is longer than it takes, and never a part', async () => {
      const { say, host, shown, surface, place } = await world(make);
      await say(host, 'lead, can you say hello?');
      const long = 'x'.repeat(surface.capabilities.maxChars + 1);
      const outcome = await surface.post(outbound(place, 'long', long));
      if (outcome.type === 'refused') expect(outcome.error).toContain(String(surface.capabilities.maxChars));
      else expect((await shown()).texts).toEqual([long]);
    });

    it('shows the files of an agent once with its text, or refuses them before anything is shown', async () => {
      const { say, host, send, shown, surface } = await world(make);
      const { eventId } = await say(host, 'lead, can you send the numbers?');
      const files = { attachments: [fileNamed('numbers.csv'), fileNamed('more.csv')] };
      const sent = await send(eventId, 'k1', 'Here.', files);
      if (!surface.capabilities.does.files) {
        expect(sent.structuredContent).toMatchObject({ data: { name: 'unsupported' } });
        expect(await shown()).toMatchObject({ texts: [] });
        return;
      }
      expect(sent.isError).not.toBe(true);
      await send(eventId, 'k1', 'Here.', files);
      expect(await shown()).toMatchObject({ texts: ['Here.'], files: ['numbers.csv', 'more.csv'] });
    });

    it('pings nobody whom a model only writes about', async (context) => {
      const { say, host, send, shown, pinged } = await world(make);
      if (pinged === undefined) return context.skip('it has no pings');
      const { eventId } = await say(host, 'lead, can you say hello?');
      for (const [index, text] of PINGS.entries()) await send(eventId, `k${index}`, text);
      expect((await shown()).texts).toHaveLength(PINGS.length);
      expect(await pinged()).toEqual([]);
    });

    it('keeps what is said while its login is dead, and shows it once within a minute of a new one', async (context) => {
      const made = await world(make);
      const { login, faults, clock, surface } = made;
      if (login === undefined || faults === undefined) return context.skip('it has no login');
      const health = () => made.host.surfaces.all().find((one) => one.surface === surface.id);
      const { eventId } = await made.say(made.host, 'lead, can you say hello?');
      login.end();
      const answer = made.begin(eventId, 'k1', 'kept');
      const { state = 'down' } = login;
      while (health()?.state !== state) {
        await quiet(faults.proxy);
        clock.advance(STEP_MS);
      }
      expect(health()).toMatchObject(
        state === 'down'
          ? { error: expect.anything(), fix: expect.stringMatching(/\w/) }
          : { missing: [expect.stringMatching(/^login lead: /)] },
      );
      expect((await made.shown()).texts).toEqual([]);
      login.renew();
      const renewedAt = clock.now();
      await made.passTime(faults.proxy, 1);
      expect(clock.now() - renewedAt).toBeLessThanOrEqual(60_000);
      await answer;
      expect((await made.shown()).texts).toEqual(['kept']);
      // A refusal of the old login may still have been on its way. Then the next look finds it up.
      while (health()?.state !== 'up') {
        await quiet(faults.proxy);
        clock.advance(STEP_MS);
      }
    });

    it('asks once with buttons, and what somebody chooses comes back', async (context) => {
      const { say, host, send, shown, surface, questions, store } = await world(make);
      if (!surface.capabilities.does.questions) return context.skip('it has no buttons');
      if (questions === undefined) throw new Error('the subject does not say how buttons are pressed');
      const { eventId } = await say(host, 'lead, can I have my money back?');
      for (const _ of ['asked', 'asked again'])
        expect((await send(eventId, 'k1', 'Yes: a refund of 5.')).isError).toBe(true);
      const [row] = await store.scan('outbox', 'bySurface', { eq: [surface.id, 'visible'], limit: 5 });
      const [question, ...others] = (await shown()).texts;
      expect(others).toEqual([]);
      expect(question).not.toContain('refund');
      expect(await questions.buttons()).toEqual(['Approve', 'Decline', 'Show it to me']);
      const where = row === undefined ? undefined : await placeOfSend(store, row);
      if (row === undefined || where === undefined) throw new Error('the question is not in the outbox');
      const named = await namedOnPlatform(store, row);
      const found = await surface.find(messageOf(row, where, named, agentsShown(host.context, where)));
      expect(found).toMatchObject({ type: 'visible', platformId: row.platformId });
      await questions.press('Approve');
      while ((await questions.buttons()).length > 0) await rest(1);
      while ((await shown()).texts.length < 2) await rest(1);
      const [ended, answer, ...more] = (await shown()).texts;
      expect(ended).toMatch(/Approved by /);
      expect([answer, more]).toEqual(['Yes: a refund of 5.', []]);
    });

    it('tells who is there, where it says that it can', async () => {
      const { say, host, surface, place, agents = 1 } = await world(make);
      await say(host, 'lead, can you say hello?');
      const members = await surface.members?.(place);
      if (members === undefined) return;
      expect(surface.capabilities.membership).toBe(true);
      expect(members.humans).toBeGreaterThan(0);
      expect(members.agents).toBe(agents);
    });

    it('takes a typing sign, and stops as often as it is told to', async () => {
      const { surface, place } = await world(make);
      await surface.typing?.(place, 'lead', true);
      await surface.stop();
      await surface.stop();
    });

    it(
      `shows every message once and in order, through ${FAULT_CASES} faults of seed ${SEED}`,
      async (context) => {
        const made = await world(make, PATIENT);
        if (made.faults === undefined) return context.skip('nothing is between it and its platform');
        const { eventId } = await made.say(made.host, 'lead, can you count?');
        const planted = plantFaults(made.faults);
        const said: string[] = [];
        const files: string[] = [];
        const answers: Promise<unknown>[] = [];
        while (planted() < FAULT_CASES) {
          for (let n = 0; n < AT_ONCE; n++) {
            const text = `number ${said.length}`;
            said.push(text);
            const attached = made.surface.capabilities.does.files && n === 1 ? [`${text}.txt`] : [];
            files.push(...attached);
            const more = attached.length === 0 ? {} : { attachments: attached.map(fileNamed) };
            answers.push(made.begin(eventId, text, text, more));
            await made.queued(said.length);
          }
          await made.passTime(made.faults.proxy, said.length);
        }
        await Promise.all(answers);
        const people = await made.shown();
        expect(people.texts).toEqual(said);
        expect(people.files ?? []).toEqual(files);
      },
      FAULTS_TIMEOUT_MS,
    );
  });
}

function fileNamed(name: string): { name: string; text: string } {
  return { name, text: `the content of ${name}` };
}

/** Every platform's ways to ping, and disguises of them. None of these is a mention of the send. */
const PINGS = [
  '@everyone @here @channel, and @ada',
  '<!channel> <!here|here> <!subteam^S0TEAM> <@U0ADA> <@&1> <@!2>',
  '&lt;!channel&gt; &#60;@U0ADA&#62; \\@ada *@ada* [@ada](https://example.com) @acme/platform',
  '> @ada said\n\n- @ada\n\n| who |\n| --- |\n| @ada |',
  '`@ada <!channel>`\n\n```\n@everyone\n```\n@ada',
];

/** So many faults in a row that a host gives up belong to another test. */
const PATIENT = { sendsPerMinute: 1_000_000, unpromptedPerHour: 10_000, sendAttempts: 1_000 };
const FAULT_CASES = cases(30, 300);
/** Every wait of the host is walked through in small steps. */
const FAULTS_TIMEOUT_MS = cases(300_000, 1_800_000);
/** Many of them fit into the host's patience with a platform, so that no answer on its way is given up. */
const STEP_MS = 2_000;
/** Sends that wait for each other. */
const AT_ONCE = 3;

/** Every post meets a fault drawn from the seed, and so does every fifth question. Answers how many were planted. */
function plantFaults({ proxy, isPost, isFind }: NonNullable<SurfaceSubject['faults']>): () => number {
  const random = seededRandom(SEED);
  const draw = (): Fault => FAULTS[Math.floor(random.next() * FAULTS.length)] ?? 'pass';
  let planted = 0;
  proxy.fault = (path) => {
    const fault = isPost(path) || (isFind(path) && random.next() < 0.2) ? draw() : 'pass';
    if (fault !== 'pass') planted++;
    return fault;
  };
  return () => planted;
}
