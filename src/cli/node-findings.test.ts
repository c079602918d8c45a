import { expect, it } from 'vitest';
import type { StoreHealth } from '../host/operator/routes/health.ts';
import { nodeFindings } from './node-findings.ts';

const HEALTH = { findings: [], stats: {}, aheadMs: 0, jumps: { forward: 0, back: 0 } };
type Nodes = NonNullable<StoreHealth['nodes']>;
type Node = Nodes['nodes'][number];

const node = (id: string, more: Partial<Node> = {}): Node => ({
  id,
  url: `http://${id}:7575`,
  version: '1.2.0',
  config: 'abcdef0123456789',
  draining: false,
  silentMs: 900,
  ...more,
});

const said = (nodes: Partial<Nodes>): [ok: boolean, said: string, fix: string | undefined][] =>
  nodeFindings({
    ...HEALTH,
    nodes: { nodes: [node('one'), node('two')], leases: [], horizonLagMs: 3, clockAheadMs: -20, ...nodes },
  }).map(({ ok, said: words, fix }) => [ok, words, fix]);

const wrong = (nodes: Partial<Nodes>) => said(nodes).filter(([ok]) => !ok);

it('has nothing to say of a host that is alone', () => {
  expect(nodeFindings(HEALTH)).toEqual([]);
});

it('names every node', () => {
  const words = said({}).map(([, line]) => line);
  expect(words).toContain('http://one:7575: alive');
  expect(words).toContain('http://two:7575: alive');
  expect(wrong({})).toEqual([]);
  expect(said({ nodes: [node('one', { draining: true })] })[2]?.[1]).toBe('http://one:7575, draining: alive');
});

it.each<[string, Partial<Nodes>, RegExp, RegExp]>([
  ['a clock that is ahead', { clockAheadMs: 3_000 }, /3000 ms ahead of the database/, /NTP/],
  ['a clock that is behind', { clockAheadMs: -3_000 }, /3000 ms behind the database/, /NTP/],
  [
    'a commit that hangs',
    { horizonLagMs: 6_000 },
    /under way for 6000 ms, and readers wait/,
    /pg_stat_activity/,
  ],
  [
    'a node that is silent',
    { nodes: [node('one', { silentMs: 7_000 })] },
    /one:7575: silent for 7000 ms/,
    /10 s/,
  ],
  [
    'versions that differ',
    { nodes: [node('one'), node('two', { version: '1.3.0' })] },
    /versions differ: 1\.2\.0 at http:\/\/one:7575; 1\.3\.0 at http:\/\/two:7575/,
    /upgrade/,
  ],
  [
    'settings that differ',
    { nodes: [node('one'), node('two', { config: 'fedcba9876543210' })] },
    /settings differ: abcdef012345 at http:\/\/one:7575; fedcba987654 at http:\/\/two:7575/,
    /Settings/,
  ],
])('tells %s, and what to do', (_, nodes, words, fix) => {
  const [finding, ...others] = wrong(nodes);
  expect(finding?.[1]).toMatch(words);
  expect(finding?.[2]).toMatch(fix);
  expect(others).toEqual([]);
});
