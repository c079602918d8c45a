// The transport contract on every implementation, and what each adds to it: real processes, bridges, other people's
// bytes at a real socket.
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { hear, transportContract, until } from './transport-contract.ts';
import { KINDS, spawnEcho } from './transport-pairs.ts';

for (const kind of KINDS) transportContract(kind);

describe('stdio with a real process', () => {
  it('carries 20,000 frames there and back, then ends with the process', async () => {
    const { transport, child } = spawnEcho(new VirtualClock());
    const heard = hear(transport);
    await transport.start();
    const frames = Array.from({ length: 20_000 }, (_, i) => `{"n":${i},"pad":"${'é'.repeat(i % 100)}"}`);
    for (const frame of frames) transport.send(frame);
    await until(() => heard.frames.length === frames.length);
    expect(heard.frames).toEqual(frames);
    const exit = once(child, 'exit');
    transport.close('normal');
    expect(await exit).toEqual([0, null]);
    await until(() => heard.reasons.length > 0);
    expect(heard.reasons).toEqual(['normal']);
  });

  it('hears that the process is gone', async () => {
    const { transport, child } = spawnEcho(new VirtualClock());
    const heard = hear(transport);
    await transport.start();
    transport.send('{}');
    await until(() => heard.frames.length === 1);
    child.kill('SIGKILL');
    await until(() => heard.reasons.length > 0);
    expect(['normal', 'lost']).toContain(heard.reasons[0]);
  });
});
