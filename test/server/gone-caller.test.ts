// Callers who leave while their token is looked up, which may take as long as the store is away. Nothing of them stays
// behind: the host ends when it is told to, and their share is free again.
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { fixture } from './fixture.ts';

it('a request whose caller has left before it is looked at holds up no drain and takes no share', async () => {
  const { server, host, tokens, token, call } = await fixture();
  const port = await server.listen('127.0.0.1', 0);
  const asked = Promise.withResolvers<void>();
  const lookedUp = Promise.withResolvers<void>();
  const authenticate = tokens.authenticate.bind(tokens);
  tokens.authenticate = async (given) => {
    asked.resolve();
    await lookedUp.promise;
    return authenticate(given);
  };
  const caller = connect(port, '127.0.0.1');
  const [served] = (await once(server.app.server, 'connection')) as [NodeJS.EventEmitter];
  const left = once(served, 'close');
  caller.write(
    `GET /v1/log HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token.operator}\r\n\r\n`,
  );
  await asked.promise;
  caller.destroy();
  await left;
  lookedUp.resolve();
  // It is behind the first one, so that has been looked at by then.
  expect((await call('GET', '/v1/log', 'operator')).status).toBe(200);
  await server.drain();
  expect(host.context.shares.requests.of('operator:ops')).toMatchObject({ requests: 0 });
});
