// One conversation of JSON-RPC messages, the same over every transport: what goes in and what comes out is equal to the
// byte, so nothing above a transport needs to know which one it has.
import { describe, expect, it } from 'vitest';
import { decode } from '../../src/protocol/jsonrpc.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { seededRandom } from '../../src/runtime/random.ts';
import type { RpcHandlers } from '../../src/transport/requests.ts';
import { createHttpEndpoint } from '../../src/transport/http-server.ts';
import { createPeer } from '../../src/transport/peer.ts';
import { postWebhook } from '../../src/transport/webhook.ts';
import { verifyWebhook, webhookSecret } from '../../src/transport/webhook-signature.ts';
import { hear, until } from './transport-contract.ts';
import { KINDS } from './transport-pairs.ts';

const DELIVERY =
  '{"jsonrpc":"2.0","id":"d-1","method":"chat/deliver","params":{"eventId":"evt_1","text":"naïve 日本語 👩‍👩‍👧"}}';
const MESSAGES = [
  DELIVERY,
  '{"jsonrpc":"2.0","id":2,"method":"ping","params":{}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1}}',
  '{"jsonrpc":"2.0","id":"3","method":"no/such"}',
  '[{"jsonrpc":"2.0","id":4,"method":"ping"},{"jsonrpc":"2.0","id":5,"method":"chat/deliver","params":{"eventId":"evt_2"}}]',
  '{"jsonrpc":"2.0","id":6}',
  'not JSON',
];
const handlers: RpcHandlers = {
  ping: () => ({ ok: true, result: {} }),
  'chat/deliver': (params) => ({ ok: true, result: { eventId: (params as { eventId: string }).eventId } }),
};
const ACKNOWLEDGED = '{"jsonrpc":"2.0","id":"d-1","result":{"eventId":"evt_1"}}';

async function overHttp(): Promise<string[]> {
  const endpoint = createHttpEndpoint<null>({ handlersFor: () => handlers });
  const answers: string[] = [];
  for (const body of MESSAGES) {
    const answer = await endpoint({
      identity: null,
      body: Buffer.from(body),
      contentType: 'application/json',
    });
    if (answer.body !== '') answers.push(answer.body);
  }
  return answers;
}

describe('the same messages', () => {
  it.each(KINDS)(
    'get the same answers over $name as over HTTP [C2A-06-02/transport/agnostic]',
    async ({ connect }) => {
      const { near, far, clock, dispose } = await connect();
      const heard = hear(near);
      const expected = await overHttp();
      await createPeer(far, { clock, handlers }).start();
      for (const message of MESSAGES) near.send(message);
      await until(() => heard.frames.length === expected.length);
      expect(heard.frames.toSorted()).toEqual(expected.toSorted());
      expect(heard.frames).toContain(ACKNOWLEDGED);
      near.close();
      await dispose();
    },
  );

  it('are the body of a webhook, whose receiver can tell the sender and the event', async () => {
    const clock = new VirtualClock(1_780_000_000_000);
    const secret = webhookSecret(seededRandom(1));
    const taken: unknown[] = [];
    const outcome = await postWebhook({
      url: 'https://agent.example/',
      secret,
      id: 'evt_1',
      body: DELIVERY,
      clock,
      fetch: (_, init) => {
        const body = init?.body as string;
        const verified = verifyWebhook(
          secret,
          Object.fromEntries(new Headers(init?.headers)),
          body,
          clock.now(),
        );
        taken.push(verified.ok && verified.id, decode(body));
        return Promise.resolve(new Response(ACKNOWLEDGED));
      },
    });
    expect(taken).toEqual(['evt_1', decode(DELIVERY)]);
    expect(outcome).toEqual({ kind: 'delivered', status: 200, body: ACKNOWLEDGED });
  });
});
