// Deliveries: they go to the addressed agent, in the agreed shape, at least once, in order, until they are settled.
import { PROTOCOL_VERSIONS } from '../../protocol/vocabulary.ts';
import { WIRE_EVENT_SCHEMAS } from '../../protocol/wire-event.ts';
import { Broken, expectThat, type Scenario } from '../scenario.ts';
import type { Handed } from '../session.ts';

function policyOf(event: Handed): unknown {
  return (event['attention'] as { policy?: unknown } | undefined)?.policy ?? event['policy'];
}

function modeOf(event: Handed): unknown {
  return (event['injection'] as { mode?: unknown } | undefined)?.mode ?? event['mode'] ?? 'buffered';
}

interface Reliability {
  attempt?: number;
  idempotencyKey?: string;
}

function reliabilityOf(event: Handed): Reliability {
  return event['reliability'] ?? {};
}

export function deliveredText(event: Handed): string {
  const { content } = event;
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

export const DELIVER: readonly Scenario[] = [
  {
    id: 'deliver/mention',
    title: 'A mention is delivered with its words, and must be answered',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const id = await here.ask('is the deploy blocked?');
      const { event } = await session.delivered(id);
      expectThat(policyOf(event) === 'must_respond', 'policy must_respond', policyOf(event));
      expectThat(
        deliveredText(event).includes('is the deploy blocked?'),
        'the words of the message',
        deliveredText(event),
      );
    },
  },
  {
    id: 'deliver/shape',
    title: 'Each version’s events have that version’s shape',
    needs: ['events'],
    async run({ open, room }) {
      for (const version of PROTOCOL_VERSIONS) {
        const [session, here] = [await open({ version }), room()];
        const id = await here.ask('is the deploy blocked?');
        const { event } = await session.delivered(id);
        const read = WIRE_EVENT_SCHEMAS[version].safeParse(event);
        if (!read.success) {
          const [issue] = read.error.issues;
          throw new Broken(
            `an event of ${version}`,
            `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
          );
        }
        session.link.close('normal');
        await session.link.closed;
      }
    },
  },
  {
    id: 'deliver/comes-again',
    title: 'What was not acknowledged comes again: same event, same key, a further attempt',
    needs: ['events', 'push'],
    async run({ open, room }) {
      const here = room();
      const first = await open({ acks: false });
      const id = await here.ask('is the deploy blocked?');
      const { event: once } = await first.delivered(id);
      first.link.close('lost');
      await first.link.closed;
      const { event: again } = await (await open()).delivered(id);
      const [was, is] = [reliabilityOf(once), reliabilityOf(again)];
      const key = was.idempotencyKey;
      expectThat(key !== undefined && is.idempotencyKey === key, `the same idempotencyKey, ${key}`, is);
      expectThat((is.attempt ?? 0) > (was.attempt ?? 1), `an attempt after ${was.attempt ?? 1}`, is);
    },
  },
  {
    id: 'deliver/held',
    title: 'What a harness still holds is not handed over again; what it need not answer any more is named',
    needs: ['events', 'push'],
    async run({ open, room }) {
      const here = room();
      const first = await open();
      const held = await here.ask('is the deploy blocked?');
      const answered = await here.ask('and the build?');
      await first.delivered(held);
      await first.delivered(answered);
      await first.done('chat.react', { inReplyTo: answered, signal: 'done' });
      first.link.close('normal');
      await first.link.closed;
      const second = await open({ holding: [held, answered] });
      const barrier = await here.ask('anything else?');
      const { before } = await second.delivered(barrier);
      const again = before.filter(({ eventId }) => eventId === held || eventId === answered);
      expectThat(
        again.length === 0,
        'nothing of what is held',
        again.map(({ eventId }) => eventId),
      );
    },
  },
  {
    id: 'deliver/in-order',
    title: 'A conversation arrives in its order',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const count = 20;
      const ids: string[] = [];
      for (let index = 1; index <= count; index++) ids.push(await here.ask(`question ${index}?`));
      const arrived: string[] = [];
      for (const id of ids) {
        const { event, before } = await session.delivered(id);
        arrived.push(
          ...before.filter(({ eventId }) => ids.includes(eventId)).map(({ eventId }) => eventId),
          event.eventId,
        );
      }
      expectThat(
        arrived.join() === ids.join(),
        `the order in which they were said, ${ids.join()}`,
        arrived.join(),
      );
    },
  },
  {
    id: 'deliver/once-per-event',
    title: 'The same event posted twice is one event and one delivery',
    needs: ['events'],
    async run({ open, room, agent }) {
      const [session, here] = [await open(), room()];
      const event = here.event({
        text: `@${agent} is it blocked?`,
        mentions: [{ kind: 'agent', id: agent }],
      });
      const [first] = await here.post(event);
      const [second] = await here.post(event);
      expectThat(first?.status === 'accepted' && second?.status === 'repeat', 'accepted, then repeat', [
        first,
        second,
      ]);
      const barrier = await here.ask('anything else?');
      const { before } = await session.delivered(barrier);
      const times = before.filter(({ eventId }) => eventId === event.eventId).length;
      expectThat(times === 1, 'one delivery', `${times} deliveries`);
    },
  },
  {
    id: 'deliver/ids-are-scoped',
    title: 'The same id in another conversation is another event, with an eventId of its own',
    needs: ['events'],
    async run({ open, room, agent }) {
      const [session, here, there] = [await open(), room(), room()];
      const mentions = [{ kind: 'agent', id: agent }];
      const id = `${here.id}-42`;
      const asked = here.event({ id, text: `@${agent} is the deploy blocked?`, mentions });
      const other = there.event({ id, text: `@${agent} is the build blocked?`, mentions });
      for (const [said, conversation] of [[asked, here] as const, [other, there] as const]) {
        const [first] = await conversation.post(said);
        expectThat(first?.status === 'accepted', `${id} to be stored in ${conversation.id}`, first ?? {});
        const [again] = await conversation.post(said);
        expectThat(again?.status === 'repeat', `the same event again to be a repeat`, again ?? {});
      }
      const words = (text: string) => session.next((one) => deliveredText(one).includes(text), `"${text}"`);
      const { event: first } = await words('is the deploy blocked?');
      const { event: second } = await words('is the build blocked?');
      expectThat(first.eventId !== second.eventId, 'two events with two eventIds', [
        first.eventId,
        second.eventId,
      ]);
      await here.edit(id, 'is the release blocked?');
      const { event: edited } = await words('is the release blocked?');
      const where = (edited['conversation'] as { id?: unknown } | undefined)?.id;
      expectThat(where === here.id, `the edit to reach the message in ${here.id}`, edited);
      await session.done('chat.send_message', {
        target: there.target,
        text: 'The build is fine.',
        inReplyTo: second.eventId,
        visibility: 'channel',
        directedness: 'to_other',
        idempotencyKey: `${id}-reply`,
      });
      const [saidHere, saidThere] = [await here.said(), await there.said()];
      const answered = saidHere.length === 0 && saidThere.join() === 'The build is fine.';
      expectThat(answered, `one answer, in ${there.id}`, { [here.id]: saidHere, [there.id]: saidThere });
    },
  },
  {
    id: 'deliver/ambient-is-quiet',
    title: 'What is said to nobody wakes nobody, and can be looked up',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      await here.say('hello bob', { by: 'ada' });
      const ambient = await here.say('the second run passed on my machine', { by: 'bob' });
      const barrier = await here.ask('are you there?', { by: 'carl' });
      const { before } = await session.delivered(barrier);
      const woken = before.filter(({ eventId }) => eventId === ambient);
      expectThat(woken.length === 0, 'no delivery of what was said to nobody', woken);
      const { events } = await session.done('chat.list_events', { target: here.target, limit: 20 });
      const listed = ((events ?? []) as { eventId?: unknown }[]).map(({ eventId }) => eventId);
      expectThat(listed.includes(ambient), `${ambient} in chat.list_events`, listed);
    },
  },
  {
    id: 'deliver/thanks-is-no-turn',
    title: 'Thanks are taken without a turn',
    needs: ['events'],
    async run({ open, room }) {
      const [session, here] = [await open(), room()];
      const thanks = await here.ask('thanks!');
      const barrier = await here.ask('is the deploy blocked?', { by: 'bob' });
      const { before } = await session.delivered(barrier);
      const woken = before.filter(({ eventId }) => eventId === thanks);
      expectThat(woken.length === 0, 'no delivery of "thanks!"', woken);
    },
  },
  {
    id: 'deliver/knock-has-no-words',
    title: 'A knock holds no word of what was said',
    needs: ['events'],
    async run({ open, room }) {
      const [session, thread] = [await open(), room().thread()];
      const asked = await thread.ask('is the deploy blocked?');
      await session.delivered(asked);
      await session.done('chat.send_message', {
        target: thread.target,
        text: 'It is not.',
        inReplyTo: asked,
        visibility: 'thread',
        directedness: 'to_other',
        idempotencyKey: `${asked}-reply`,
      });
      await thread.said();
      await thread.say('good morning everybody', { by: 'bob' });
      const secret = 'xylophone';
      const id = await thread.say(`the ${secret} passed on my machine`, { by: 'carl' });
      const barrier = await thread.ask('are you there?', { by: 'dora' });
      const { before } = await session.delivered(barrier);
      const knock = before.find(({ eventId }) => eventId === id);
      if (knock === undefined) return; // a host may put it into the mailbox instead
      const leaked = modeOf(knock) === 'notify' && JSON.stringify(knock).includes(secret);
      expectThat(!leaked, 'a knock without a word of the message', knock);
    },
  },
];
