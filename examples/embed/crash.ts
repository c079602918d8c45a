// The store without a disk: a question is asked, the process is gone before anybody answers, and the next one answers.
// Time is virtual and chance is seeded, so every run is the same. Run it: node crash.ts
import { connect } from 'earshot/agent';
import { startHost, stateCodecFor } from 'earshot/host';
import { seededRandom, VirtualClock } from 'earshot/runtime';
import { type MemoryImage, openMemoryStore } from 'earshot/store/memory';
import { said, terminal } from './terminal.ts';

const clock = new VirtualClock(Date.UTC(2026, 5, 2));
const attention = { agents: [{ id: 'lead' }] };
const codec = stateCodecFor(attention);
const visible: string[] = [];

async function start(image?: MemoryImage) {
  const store = openMemoryStore(image === undefined ? { clock, codec } : { clock, codec, image });
  const surfaces = [terminal((agent, text) => visible.push(`${agent}: ${text}`))];
  const host = await startHost({ store, clock, random: seededRandom(1), attention, surfaces });
  return { store, host };
}

const before = await start();
await before.host.ingest([said('evt_1', '@lead is the deploy blocked?', clock.now())], 'terminal');
const image = before.store.crash();

const { host } = await start(image);
const lead = connect({ agent: 'lead', clock, random: seededRandom(2), transport: () => host.link('lead') });
lead.onTurn(async () => 'No, it is green.');
while (visible.length === 0) {
  clock.advance(100);
  await new Promise((resolve) => setImmediate(resolve));
}
console.log(visible.join('\n'));
