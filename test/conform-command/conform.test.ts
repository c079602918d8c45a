// `earshot conform` from outside: everything holds against our own host, over all three ways; and each of several
// planted faults is found, by the scenario that is about it, in words.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { upHere } from '../server/here.ts';
import { LONG } from '../long.ts';
import { earshot } from '../replay/fake-io.ts';
import { folder, type Listening, type Ran, run } from '../server/up.ts';
import { type Fault, faultyHost, type Message } from './faulty-host.ts';

async function host(): Promise<Listening> {
  const data = folder();
  const config = join(data, 'earshot.yaml');
  // A short compose window: the scenarios wait for it many times, and all of them hold whatever its length.
  writeFileSync(config, 'agents:\n  - id: tester\nlimits: { composeMs: 300 }\n');
  return upHere({ data, config });
}

interface Verdict {
  id: string;
  outcome: 'holds' | 'skipped' | 'broken';
  expected?: string;
  got?: string;
}

async function conform(
  started: Listening,
  ...argv: string[]
): Promise<{ code: number; verdicts: Verdict[] }> {
  const words = ['conform', '--agent', 'tester', '--data', started.data, '--json', ...argv];
  const { code, out } = argv.includes('stdio') ? await inProcess(words, started) : await earshot(words);
  const lines = out.split('\n').filter((line) => line !== '');
  return { code, verdicts: lines.map((line) => JSON.parse(line) as Verdict) };
}

/** Over stdio the command starts `earshot connect` with its own script, once for each session, so it is a process. */
async function inProcess(words: readonly string[], { data }: Listening): Promise<Ran> {
  // Those are killed, and what is killed leaves nothing in the compile cache: this one ends by itself and does.
  await run(['connect', '--stdio', '--agent', 'tester', '--data', data], data);
  return run(words, data);
}

describe('our own host', () => {
  it.each([
    ['websocket', []],
    [
      'http',
      [
        'session/initialize-first',
        'session/newest-wins',
        'negotiate/ack',
        'negotiate/error-comes-again',
        'negotiate/cancelled-names-the-request',
        'negotiate/cancellation',
        'deliver/comes-again',
        'deliver/held',
        'act/delete-withdraws',
      ],
    ],
    ['stdio', []],
  ])(
    'holds every promise over %s',
    async (over, pushedOnly) => {
      // Over stdio every session is a process of its own, so the gate plays the sessions only.
      const some = over === 'stdio' && !LONG ? ['--only', 'session/'] : [];
      const { code, verdicts } = await conform(await host(), '--over', over, ...some);
      expect(verdicts.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
      expect(verdicts.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id)).toEqual(pushedOnly);
      expect(verdicts.length).toBeGreaterThanOrEqual(some.length > 0 ? 8 : 45);
      expect(code).toBe(0);
    },
    240_000,
  );
});

const eventOf = ({ method, params }: Message): Record<string, unknown> | undefined =>
  method === 'chat/deliver' ? params : undefined;

function otherKeys(): Fault {
  let count = 0;
  return {
    toHarness(message) {
      const event = eventOf(message);
      if (event?.['reliability'] !== undefined)
        event['reliability'] = { ...event['reliability'], idempotencyKey: `key-${++count}` };
      return message;
    },
  };
}

function alwaysNew(): Fault {
  let count = 0;
  return {
    toHost(message) {
      const call = message.params as { name?: string; arguments?: Record<string, unknown> } | undefined;
      if (call?.name === 'chat.send_message' && call.arguments !== undefined)
        call.arguments['idempotencyKey'] = `planted-${++count}`;
      return message;
    },
  };
}

/** Another answer after a refused one is taken for the refused one. */
function onlyOneTry(): Fault {
  return {
    toHost(message) {
      const call = message.params as { name?: string; arguments?: Record<string, unknown> } | undefined;
      const key = call?.arguments?.['idempotencyKey'];
      if (call?.name === 'chat.send_message' && call.arguments !== undefined && typeof key === 'string')
        call.arguments['idempotencyKey'] = key.replace(/-again$/, '-reply');
      return message;
    },
  };
}

function mayBeIgnored(): Fault {
  return {
    toHarness(message) {
      const attention = eventOf(message)?.['attention'] as { policy?: string } | undefined;
      if (attention?.policy === 'must_respond') attention.policy = 'may_respond';
      return message;
    },
  };
}

function keepsWithdrawals(): Fault {
  return {
    toHarness: (message) => (message.method === 'notifications/cancelled' ? undefined : message),
  };
}

/** One space of ids for all conversations: what came first is what counts. */
function oneSpaceOfIds(): Fault {
  const first = new Map<string, string>();
  return {
    onEvents({ events }) {
      const [event] = events;
      if (event === undefined) return undefined;
      const known = first.get(event.eventId) ?? event.conversation.id;
      first.set(event.eventId, known);
      const { eventId, conversation } = event;
      return known === conversation.id ? undefined : { events: [{ eventId, status: 'repeat', seq: 1 }] };
    },
  };
}

/** Every event goes out under the id of its source. */
function sourcesIds(): Fault {
  return {
    toHarness(message) {
      const event = eventOf(message);
      const source = event?.['source'] as { eventId?: string } | undefined;
      if (event !== undefined && source?.eventId !== undefined) event['eventId'] = source.eventId;
      return message;
    },
  };
}

/** Hands over the first line of what was typed in pieces. */
function firstLineOnly(): Fault {
  return {
    toHarness(message) {
      const [part] = (eventOf(message)?.['content'] ?? []) as { text?: string }[];
      if (part?.text !== undefined) part.text = part.text.split('\n')[0] ?? '';
      return message;
    },
  };
}

function forgetsASecondAuthor(): Fault {
  return {
    toHarness: (message) =>
      JSON.stringify(eventOf(message)?.['author'] ?? '').includes('second-author') ? undefined : message,
  };
}

/** Every refused tool call of this name is told that it succeeded. */
function grants(tool: string, result: Record<string, unknown>): () => Fault {
  return () => {
    const calls = new Set<unknown>();
    return {
      toHost(message) {
        if ((message.params as { name?: string } | undefined)?.name === tool) calls.add(message['id']);
        return message;
      },
      toHarness(message) {
        const answer = message['result'] as { isError?: boolean } | undefined;
        if (!calls.has(message['id']) || answer?.isError !== true) return message;
        return { ...message, result: { content: [], structuredContent: result } };
      },
    };
  };
}

/** The host never hears what the harness gave up. */
function ignoresCapabilities(): Fault {
  return {
    toHost(message) {
      if (message.method === 'initialize') delete message.params?.['capabilities'];
      return message;
    },
  };
}

function namesNoRequest(): Fault {
  return {
    toHarness(message) {
      if (message.method === 'notifications/cancelled') delete message.params?.['requestId'];
      return message;
    },
  };
}

/** What a harness refuses for now is taken as accepted. */
function takesErrorsForAcks(): Fault {
  return {
    toHost: (message) =>
      message['error'] === undefined ? message : { jsonrpc: '2.0', id: message['id'], result: {} },
  };
}

describe('a host that', () => {
  it.each([
    ['gives a delivery another key each time', otherKeys, 'deliver/comes-again', /the same idempotencyKey/],
    ['takes every key for a new one', alwaysNew, 'act/send-once', /the first eventId/],
    ['lets everything go unanswered', mayBeIgnored, 'deliver/mention', /must_respond/],
    ['keeps one space of ids', oneSpaceOfIds, 'deliver/ids-are-scoped', /to be stored in/],
    ['hands over the ids of sources', sourcesIds, 'deliver/ids-are-scoped', /two eventIds/],
    ['gives an answer one try', onlyOneTry, 'act/one-answer-after-refusal', /chat.send_message/],
    ['withdraws in silence', keepsWithdrawals, 'act/delete-withdraws', /notifications\/cancelled/],
    ['hands over pieces', firstLineOnly, 'compose/pieces-are-one-turn', /"the agent should wait"/],
    ['forgets a second author', forgetsASecondAuthor, 'compose/nobody-waits-for-another', /delivery of/],
    [
      'grants every claim',
      grants('chat.claim', { status: 'claimed', token: 1 }),
      'claim/not-for-others',
      /refusal with a reason/,
    ],
    [
      'asks for no claim',
      grants('chat.send_message', { eventId: 'x' }),
      'claim/before-answer',
      /chat\.claim/,
    ],
    ['confirms and ignores', ignoresCapabilities, 'negotiate/tools', /no chat\.react/],
    ['names no request', namesNoRequest, 'negotiate/cancelled-names-the-request', /requestId/],
    [
      'takes an error for an answer',
      takesErrorsForAcks,
      'negotiate/error-comes-again',
      /again after an error/,
    ],
  ])(
    '%s is found out, in words',
    async (_, fault, scenario, words) => {
      const started = await host();
      const url = await faultyHost(started.url, fault());
      // The scenarios of its kind are enough to find it, and to see that the others of that kind hold.
      const kind = `${scenario.split('/')[0] ?? ''}/`;
      const { code, verdicts } = await conform(started, url, '--patience', '5000', '--only', kind);
      const broken = verdicts.filter(({ outcome }) => outcome === 'broken');
      expect(broken.map(({ id }) => id)).toContain(scenario);
      expect(broken.find(({ id }) => id === scenario)?.expected).toMatch(words);
      // It does not cry wolf: the rest still holds.
      expect(verdicts.length - broken.length, JSON.stringify(broken)).toBeGreaterThanOrEqual(2);
      expect(code).toBe(1);
    },
    120_000,
  );
});

it('says in one line what stands in the way', async () => {
  const started = await host();
  const ways: [argv: string[], words: RegExp][] = [
    [['--agent', 'tester', 'http://127.0.0.1:9'], /nothing answers at http:\/\/127\.0\.0\.1:9/],
    [['--agent', 'testr'], /no token for "testr".*tester/],
    [[], /--agent tester/],
    [['--agent', 'tester', '--over', 'pigeon'], /"pigeon" is not known/],
    [['--agent', 'tester', '--only', 'nothing-like-it'], /no scenario/],
    [['--agent', 'tester', '--patience', 'soon'], /no number of milliseconds/],
    [['--agent', 'tester', '--', 'cat'], /needs --over stdio/],
  ];
  for (const [argv, words] of ways) {
    const { code, err } = await earshot(['conform', '--data', started.data, ...argv]);
    expect(code, argv.join(' ')).toBeGreaterThan(0);
    expect(err.trim().split('\n')).toEqual([expect.stringMatching(words)]);
  }
});
