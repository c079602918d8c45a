// What the pages about MCP promise is there: every tool is named, configurations are JSON and their flags exist, the knock
// that is shown is the one that is sent.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mcpCommand } from '../../src/cli/mcp.ts';
import { CHANNEL_LIMITS } from '../../src/host/mcp/channel-inbox.ts';
import { knockNotice } from '../../src/host/mcp/channel-notice.ts';
import { knockFor } from '../../src/protocol/knock.ts';
import { TOOL_NAMES, toolNameForModel } from '../../src/protocol/tool-name.ts';

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const doc = page('mcp.md');
const known = new Set(mcpCommand.help.match(/--[a-z]+/g));

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
  for (const flag of JSON.stringify(blocks).match(/--[a-z]+/g) ?? []) expect(known).toContain(flag);
});

describe.each(['runners/mcp.md', 'runners/claude-code.md'])('docs/%s', (name) => {
  it('names tools and flags that exist', () => {
    const text = page(name);
    const tools = new Set(TOOL_NAMES.map(toolNameForModel));
    for (const tool of text.match(/\bchat_\w+/g) ?? []) expect(tools).toContain(tool);
    const flags = [...text.matchAll(/earshot mcp (.*)$/gm)].flatMap(([, rest = '']) =>
      rest.match(/(?<=\s|^)--[a-z]+/g),
    );
    expect(flags.length).toBeGreaterThan(0);
    for (const flag of flags) expect(known).toContain(flag);
  });
});

it('docs/runners/claude-code.md shows the knock that is sent, and its limits', () => {
  const text = page('runners/claude-code.md');
  const knock = knockFor({
    author: { id: 'U1', kind: 'human', displayName: 'Ada' },
    conversation: { id: 'general', kind: 'channel' },
    directedness: 'to_me',
    policy: 'must_respond',
    priority: 'normal',
    intent: 'statement',
    reason: 'mention',
    createdAt: 0,
    handedAt: 3_000,
  });
  const { content, meta } = knockNotice({ eventId: 'evt_123', knock, claimFirst: false, nth: 1, of: 6 });
  const [, shown = ''] = /```\n(<channel .*?)```/s.exec(text) ?? [];
  const attributes = Object.entries(meta).map(([name, value]) => `${name}="${value}"`);
  const sent = `<channel source="chat" ${attributes.join(' ')}> ${content} </channel>`;
  expect(shown.replaceAll(/\s+/g, ' ').trim()).toBe(sent);
  const { againMs, againCapMs, knocks, held, leaveMs } = CHANNEL_LIMITS;
  for (const words of [
    `${againMs / 1_000} s after`,
    `at most ${againCapMs / 60_000} min`,
    `| ${knocks}; after that`,
    `| ${held.toLocaleString('en')};`,
    `after ${leaveMs / 60_000} min`,
  ])
    expect(text).toContain(words);
});
