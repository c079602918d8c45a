// Any JSON as the arguments of any tool: a result, never an error of the protocol, and nothing reaches the host that
// its own schema would not take.
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCallKeys } from '../../src/host/mcp/call-keys.ts';
import type { HostPort } from '../../src/host/mcp/host-port.ts';
import { McpTurns } from '../../src/host/mcp/mcp-turns.ts';
import { mcpServerFor } from '../../src/host/mcp/mcp-server.ts';
import { TOOL_NAMES, toolNameForModel } from '../../src/protocol/tool-name.ts';
import { toolSuccess } from '../../src/protocol/tool.ts';
import { listTool, TOOLS } from '../../src/protocol/tools.ts';
import { VirtualClock } from '../../src/runtime/clock.ts';
import { cases } from '../long.ts';

const RUNS = cases(300, 1_500);
const client = new Client({ name: 'test', version: '1' });
let reached = 0;

beforeAll(async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const callKeys = createCallKeys('lead', new VirtualClock());
  const clock = new VirtualClock();
  const port: HostPort = {
    call: (name, args) => {
      reached++;
      expect(TOOLS[name].input.safeParse(args).error).toBeUndefined();
      return Promise.resolve(toolSuccess({ name, token: reached }));
    },
    startTurn: () => Promise.resolve(undefined),
    endTurn: () => Promise.resolve(),
  };
  const turns = new McpTurns({ clock, newId: () => String(reached), channel: false });
  const server = mcpServerFor({ agent: 'lead', port, callKeys, turns, clock, waitMs: 0 });
  await server.connect(far);
  await client.connect(near);
});
afterAll(() => client.close());

const id = fc.constantFrom('evt_1', 'evt_2');
/** Mostly right, so that some calls get through. */
const members = {
  inReplyTo: id,
  eventId: id,
  target: fc.constantFrom('thread:T1', 'dm:D1', 'agent:builder', 'nowhere'),
  text: fc.string({ maxLength: 20 }),
  visibility: fc.constantFrom('dm', 'channel', 'thread'),
  directedness: fc.constantFrom('to_me', 'ambient'),
  signal: fc.constantFrom('done', 'working', 'party'),
  op: fc.constantFrom('claim', 'release', 'renew'),
  reason: fc.string({ minLength: 1, maxLength: 5 }),
  ttlMs: fc.integer({ min: -1, max: 10 }),
  token: fc.integer(),
  query: fc.constantFrom('owe', 'blocking'),
  mode: fc.constantFrom('auto', 'left'),
};
type Member = keyof typeof members;
const MEMBERS = Object.keys(members) as Member[];
const some = (of: readonly Member[]) =>
  fc
    .subarray([...of], { maxLength: Math.min(6, of.length) })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, members[name]]))));
const anything = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue());
/** A tool, and members of its own, of any tool, or anything. */
const call = fc.constantFrom(...TOOL_NAMES).chain((name) => {
  const own = Object.keys(Object(listTool(name).inputSchema['properties']));
  const args = fc.oneof(some(MEMBERS.filter((member) => own.includes(member))), some(MEMBERS), anything);
  return fc.tuple(fc.constant(name), args);
});

it('ends every call with a result', async () => {
  await fc.assert(
    fc.asyncProperty(call, async ([name, given]) => {
      const result = await client.callTool({ name: toolNameForModel(name), arguments: given });
      expect(result.content[0]?.type).toBe('text');
      if (result.isError === true) {
        expect(result.structuredContent).toMatchObject({ data: { name: 'invalid_params' } });
      }
    }),
    { numRuns: RUNS },
  );
  expect(reached).toBeGreaterThan(RUNS / 50);
});
