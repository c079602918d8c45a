// A program as an agent: it is started once a turn, reads the prompt and prints the answer. Run it: node command.ts
import { connect } from 'earshot/agent';
import { startHost, stateCodecFor } from 'earshot/host';
import { systemClock as clock } from 'earshot/runtime';
import { commandRunner, interruptsOf } from 'earshot/runners/command';
import { openMemoryStore } from 'earshot/store/memory';
import { said, terminal } from './terminal.ts';

const PROGRAM = `process.stdin.toArray().then((parts) => console.log('I read ' + parts.join('').length + ' characters.'))`;

const answered = Promise.withResolvers<string>();
const attention = { agents: [{ id: 'lead' }] };
const store = openMemoryStore({ clock, codec: stateCodecFor(attention) });
const surfaces = [terminal((_agent, text) => answered.resolve(text))];
const host = await startHost({ store, attention, surfaces });
const log = { debug() {}, info() {}, warn: console.warn, error: console.error };
const runner = commandRunner({ command: process.execPath, args: ['-e', PROGRAM], timeoutMs: 60_000, log });
const interrupts = interruptsOf(runner.capabilities);
const lead = connect({ agent: 'lead', log, interrupts, transport: () => host.link('lead') }).onTurn(runner);

await host.ingest([said('evt_1', '@lead read this', clock.now())], 'terminal');
console.log(await answered.promise);
await lead.close();
await runner.close();
await host.stop();
