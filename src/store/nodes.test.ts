// When a new format may be written: once every live node reads it.
import { expect, it } from 'vitest';
import { aloneNode, everyNodeReads, type NodesOverview } from './nodes.ts';

function nodesOf(...nodes: readonly (readonly [version: string, silentMs: number])[]) {
  const shown = nodes.map(([version, silentMs], n) => ({
    id: `node-${n}`,
    url: '',
    version,
    silentMs,
    config: '',
    draining: false,
  }));
  const overview: NodesOverview = { nodes: shown, leases: [], horizonLagMs: 0, clockAheadMs: 0 };
  return { overview: () => Promise.resolve(overview) };
}

it.each([
  { answer: true, one: ['1.4.0', 0], other: ['1.10.2', 900] },
  { answer: false, one: ['1.4.0', 0], other: ['1.3.9', 900] },
  { answer: true, one: ['1.4.0', 0], other: ['1.3.9', 60_000] },
  { answer: true, one: ['1.4.1-beta.2', 0], other: ['2.0.0', 0] },
] as const)('$answer of $one and $other for 1.4.0', async ({ answer, one, other }) => {
  expect(await everyNodeReads(nodesOf(one, other), '1.4.0')).toBe(answer);
});

it('a host that is alone reads what it writes', async () => {
  expect(await everyNodeReads(aloneNode(), '9.9.9')).toBe(true);
});
