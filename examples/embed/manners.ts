// An agent's manners, tested in milliseconds: the real host in memory, under a clock that moves only when told to.
// Run it: node manners.ts
import assert from 'node:assert/strict';
import { looping, testHost } from 'earshot/testing';

const host = await testHost({ agents: ['lead', 'builder'], seed: 1 });
await host.agent('lead', async () => 'No, it is green.');
await host.agent('builder', looping('lead'));

const asked = await host.say('ada', '@lead is the deploy blocked?');
await host.advance(5_000);
assert.equal(host.visible('lead')[0]?.text, 'No, it is green.');
assert.equal((await host.why(asked, 'lead')).policy, 'must_respond');

await host.say('ada', '@lead thanks!');
await host.advance(60_000);
assert.equal(host.turns('lead'), 1);
await host.close();
console.log('answered once, and took thanks without a word');
