// A host inside this program, with a surface and an agent of its own; everything is durable in one SQLite file.
// Run it in a folder where Earshot is installed: node host.ts chat.db
import { connect } from 'earshot/agent';
import { startHost, stateCodecFor } from 'earshot/host';
import { createLog, systemClock as clock } from 'earshot/runtime';
import { openSqliteStore } from 'earshot/store/sqlite';
import { said, terminal } from './terminal.ts';

const answered = Promise.withResolvers<void>();
const attention = { agents: [{ id: 'lead' }] };
const codec = stateCodecFor(attention);
const store = await openSqliteStore({ file: process.argv[2] ?? 'chat.db', clock, codec });
const write = (line: string) => void process.stderr.write(line);
const host = await startHost({
  store,
  clock,
  log: createLog({ write, level: 'warn', pretty: true, clean: (text) => text, clock }),
  attention,
  surfaces: [
    terminal((agent, text) => {
      console.log(`${agent}: ${text}`);
      answered.resolve();
    }),
  ],
});
const lead = connect({ agent: 'lead', transport: () => host.link('lead') });
lead.onTurn(async (turn) => `I am, ${turn.events[0]?.author.displayName}.`);

const event = said(crypto.randomUUID(), '@lead are you there?', clock.now());
const [result] = await host.ingest([event], 'terminal');
console.log(`Ada: ${event.text} (${result?.status})`);

await answered.promise;
await lead.close();
await host.stop();
await store.close();
