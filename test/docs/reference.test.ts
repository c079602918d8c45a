// The generated pages are up to date, say something about everything, and show nothing that the host would not take.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { configurationFields } from '../../scripts/reference/configuration.ts';
import * as events from '../../scripts/reference/event-examples.ts';
import { METHOD_WORDS } from '../../scripts/reference/method-examples.ts';
import { referencePages } from '../../scripts/reference/pages.ts';
import { TOOL_EXAMPLES } from '../../scripts/reference/tool-examples.ts';
import { parseHostConfig } from '../../src/cli/config.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { WIRE_ERRORS, wireError } from '../../src/protocol/errors.ts';
import { negotiate } from '../../src/protocol/initialize.ts';
import { METHOD_NAMES, METHODS } from '../../src/protocol/methods.ts';
import { reactionRecordSchema } from '../../src/protocol/obligation.ts';
import { TOOL_NAMES } from '../../src/protocol/tool-name.ts';
import { TOOLS } from '../../src/protocol/tools.ts';
import { WIRE_EVENT_SCHEMAS } from '../../src/protocol/wire-event.ts';

const pages = referencePages();
const protocol = pages['docs/reference/protocol.md'] ?? '';
const configuration = pages['docs/reference/configuration.md'] ?? '';

/** Read back whole: a member that the schema drops is one that the docs should not show. */
function expectRead(schema: z.ZodType, example: unknown): void {
  const read = schema.safeParse(example);
  expect(read.error?.issues).toBeUndefined();
  expect(read.data).toEqual(example);
}

describe('the generated pages', () => {
  it.each(Object.entries(pages))('%s is what `npm run docs` writes', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('are all there is in docs/reference', () => {
    const files = readdirSync('docs/reference').map((name) => `docs/reference/${name}`);
    expect(files.toSorted()).toEqual(Object.keys(pages).toSorted());
  });

  it.each(Object.entries(pages))('%s reads the same whenever it is made', (path, text) => {
    expect(referencePages()[path]).toBe(text);
  });

  it.each(Object.entries(pages))('%s leaves no cell of its tables without words', (_, text) => {
    const bare = text.split('\n').filter((line) => /^\|.*\| +\|$/.test(line) && !line.startsWith('| `tick`'));
    expect(bare).toEqual([]);
  });
});

describe('configuration.md', () => {
  it('has every key, with its meaning', () => {
    const fields = configurationFields();
    expect(fields.length).toBeGreaterThan(70);
    expect(fields.filter(({ what }) => what === '')).toEqual([]);
    for (const { path } of fields) {
      const [, section = '', key = ''] = /^(.*?)\.?(\w+)$/.exec(path) ?? [];
      const title = section === '' ? 'Top level' : `\`${section}\``;
      const table = configuration.split('\n## ').find((part) => part.startsWith(`${title}\n`));
      expect([path, table?.includes(`| \`${key}\` `)]).toEqual([path, true]);
    }
  });

  it('shows a file that parses', () => {
    const [, yaml = ''] = /```yaml\n(.*?)```/s.exec(configuration) ?? [];
    expect(parseHostConfig(yaml, 'configuration.md').attention.agents).toHaveLength(2);
  });
});

describe('protocol.md', () => {
  it.each(METHOD_NAMES)('%s: the example is a call, and its answer an answer', (name) => {
    const { params, result } = METHODS[name];
    expectRead(params, METHOD_WORDS[name].params);
    if (result === null) expect(METHOD_WORDS[name].result).toBeNull();
    else expectRead(result, METHOD_WORDS[name].result);
    expect(protocol).toContain(`\n### \`${name}\`\n`);
  });

  it('initialize: the answer is what the host would answer', () => {
    const { params, result } = METHOD_WORDS.initialize;
    const negotiated = negotiate(params);
    expect(negotiated).toEqual({
      ok: true,
      agreement: { protocolVersion: result.protocolVersion, capabilities: result.capabilities },
    });
  });

  it.each(TOOL_NAMES)('%s: the example is a call, and its result a result', (name) => {
    expectRead(TOOLS[name].input, TOOL_EXAMPLES[name].input);
    expectRead(TOOLS[name].result, TOOL_EXAMPLES[name].result);
    expect(protocol).toContain(`\n### \`${name}\`\n`);
  });

  it('every shape of an event is shown by one that has it', () => {
    expectRead(chatEventSchema, events.CHAT_EVENT_EXAMPLE);
    expectRead(WIRE_EVENT_SCHEMAS['2026-06-24'], events.SHORT_EVENT_EXAMPLE);
    expectRead(WIRE_EVENT_SCHEMAS['2026-06-24'], events.KNOCK_EXAMPLE);
    expectRead(WIRE_EVENT_SCHEMAS['2026-08-11'], events.OBLIGATION_EVENT_EXAMPLE);
    expectRead(WIRE_EVENT_SCHEMAS['2026-06-02'], events.FULL_EVENT_EXAMPLE);
    expectRead(reactionRecordSchema, events.REACTION_EXAMPLE);
  });

  it('has every error, and shows one as it is sent', () => {
    for (const [name, { code }] of Object.entries(WIRE_ERRORS)) {
      expect(protocol).toMatch(new RegExp(`\\| ${code} +\\| \`${name}\` `));
    }
    const shown = blocks(protocol).find((block) => JSON.stringify(block).includes('"claimed_by_other"'));
    expect(shown).toEqual(wireError('claimed_by_other', { holder: 'agent:builder' }));
  });

  it('has only JSON that is JSON', () => {
    expect(blocks(protocol).length).toBeGreaterThan(50);
  });
});

function blocks(text: string): unknown[] {
  return [...text.matchAll(/^```json\n(.*?)^```/gms)].map(([, json = '']) => JSON.parse(json) as unknown);
}
