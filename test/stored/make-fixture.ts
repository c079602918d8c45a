// Writes the fixture store: node test/stored/make-fixture.ts. It was run from a checkout of commit ba0f669, the last
// one before stored formats were pinned; run again, it would show what today's code writes, which is not its purpose.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { hostStateCodec } from '../../src/host/conversation.ts';
import { world } from '../host/world.ts';
import { openDiskStore } from './disk-store.ts';
import { HOUSE, playStory } from './story.ts';

const folder = mkdtempSync(join(tmpdir(), 'earshot-fixture-'));
const file = join(folder, 'earshot.db');
const w = await world({ ...HOUSE, openStore: (ports) => openDiskStore(file, hostStateCodec, ports) });
await playStory(w);
const problems = await w.sound();
if (problems.length > 0) throw new Error(problems.join('\n'));
await w.store.close();
const target = new URL('store-ba0f669.db.gz', import.meta.url);
writeFileSync(target, gzipSync(readFileSync(file), { level: 9 }));
rmSync(folder, { recursive: true });
console.log(`${target.pathname} written, its clock at ${w.clock.now()}`);
process.exit(0);
