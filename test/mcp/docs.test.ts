// What docs/mcp.md promises is there: every tool is named, configurations are JSON and their flags exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mcpCommand } from '../../src/cli/mcp.ts';
import { TOOL_NAMES, toolNameForModel } from '../../src/protocol/tool-name.ts';

const doc = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

it('names every tool, and none that is not', () => {
  const named = new Set(doc.match(/\bchat_\w+/g));
  expect([...named].toSorted()).toEqual(TOOL_NAMES.map(toolNameForModel).toSorted());
});

it('shows configurations that a client can read, with flags that exist', () => {
  const blocks = [...doc.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json) as object);
  expect(blocks).toMatchObject([
    { mcpServers: { chat: { url: 'http://127.0.0.1:7575/mcp' } } },
    { mcpServers: { chat: { command: 'npx', args: expect.arrayContaining(['mcp', '--agent']) } } },
  ]);
  const known = new Set(mcpCommand.help.match(/--[a-z]+/g));
  for (const flag of JSON.stringify(blocks).match(/--[a-z]+/g) ?? []) expect(known).toContain(flag);
});
