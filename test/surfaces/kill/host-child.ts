// The host that gets killed: all of `earshot up`, on SQLite, with the surfaces of its configuration. It loads its modules,
// then waits for `open`. Its time may be ahead of the machine's, so that hours pass between two lives.
import { flushCompileCache } from 'node:module';
import { DEFAULT_CONFIG } from '../../../src/cli/config.ts';
import { resolveConfig } from '../../../src/cli/host-config.ts';
import { start, type Started } from '../../../src/cli/start.ts';
import type { Open, ToChild } from './roles.ts';

async function open({ folder, env, aheadMs }: Open): Promise<Started> {
  const machine = Date.now.bind(Date);
  Date.now = () => machine() + aheadMs;
  const config = await resolveConfig({ data: folder, port: '0', config: `${folder}/${DEFAULT_CONFIG}` }, {});
  return start({ config, env, log: { write: complain, level: 'warn', pretty: false } });
}

function complain(line: string): void {
  process.stderr.write(line);
}

let opened: Promise<Started> | undefined;

async function obey(message: ToChild): Promise<void> {
  if (message.type === 'open') {
    opened = open(message);
    const { url, tokens } = await opened;
    process.send?.({ type: 'ready', url, tokens });
    return;
  }
  await (await opened)?.stop();
  process.exit(0);
}

process.on('disconnect', () => process.exit(1));
process.on('message', (message: ToChild) => {
  obey(message).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
// It will be killed: the next life finds what this one has compiled.
flushCompileCache();
process.send?.({ type: 'loaded' });
