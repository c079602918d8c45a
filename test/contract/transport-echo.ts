// The child process of the stdio contract: every frame goes back as it came, until the input ends.
import { systemClock } from '../../src/runtime/clock.ts';
import { stdioTransport } from '../../src/transport/stdio.ts';
import { listen } from '../../src/transport/transport.ts';

const transport = stdioTransport({ input: process.stdin, output: process.stdout, clock: systemClock });
listen(transport, { onmessage: (frame) => transport.send(frame) });
await transport.start();
