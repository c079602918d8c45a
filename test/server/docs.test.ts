// What the docs and examples show is right: configuration parses, events are events, every route that is named exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseHostConfig } from '../../src/cli/config.ts';
import { DEMO_CONFIG } from '../../src/cli/demo-config.ts';
import { chatEventSchema } from '../../src/protocol/chat-event.ts';
import { fixture } from './fixture.ts';

const pages = readdirSync('docs')
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, text: readFileSync(join('docs', name), 'utf8') }));

const blocks = (language: string) =>
  pages.flatMap(({ name, text }) =>
    [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => ({
      name,
      block,
    })),
  );

describe('the docs', () => {
  it.each(blocks('yaml'))('configuration in $name parses', ({ name, block }) => {
    expect(parseHostConfig(block, name).attention.agents.length).toBeGreaterThan(0);
  });

  it('examples/host.yaml and the demo parse', () => {
    expect(
      parseHostConfig(readFileSync('examples/host.yaml', 'utf8'), 'host.yaml').host.webhooks,
    ).toHaveLength(1);
    expect(parseHostConfig(DEMO_CONFIG, 'demo').attention.agents).toHaveLength(3);
  });

  it.each(blocks('json'))('JSON in $name parses', ({ block }) => {
    expect(() => JSON.parse(block) as unknown).not.toThrow();
  });

  it('events that are posted are events', () => {
    const http = pages.find(({ name }) => name === 'http.md')?.text ?? '';
    const events = [...http.matchAll(/\/v1\/events .*?-d '\s*(\{.*?\})'/gs)].map(
      ([, json = '']) => JSON.parse(json) as unknown,
    );
    expect(events).toHaveLength(2);
    for (const event of events) expect(chatEventSchema.safeParse(event).error?.issues).toBeUndefined();
  });

  it('every route in http.md exists, and every route is in http.md', async () => {
    const { server } = await fixture();
    const http = pages.find(({ name }) => name === 'http.md')?.text ?? '';
    const named = new Set([...http.matchAll(/\$H(\/[\w/.-]*)/g)].map(([, path = '']) => path));
    const wanted = [...server.app.printRoutes({ commonPrefix: false }).matchAll(/(\/\S*) \(([A-Z, ]+)\)/g)]
      .map(([, path = '']) => path)
      .filter((path) => path.startsWith('/'));
    expect(wanted.length).toBeGreaterThan(10);
    const missing = wanted.filter((path) => !http.includes(path.replace(/:\w+.*/, '')));
    expect(missing).toEqual([]);
    for (const path of named) {
      const methods = (['GET', 'POST', 'DELETE'] as const).filter(
        (method) =>
          server.app.findRoute({ method, url: path }) !== null || server.app.hasRoute({ method, url: path }),
      );
      const matched = methods.length > 0 || /(?:why|tokens|inbox|deliveries|agents|obligations)\//.test(path);
      expect([path, matched]).toEqual([path, true]);
    }
  });

  it('the harness has fifteen lines of code', () => {
    const lines = readFileSync('docs/examples/harness.mjs', 'utf8').split('\n');
    expect(lines.filter((line) => /\w/.test(line) && !line.startsWith('//'))).toHaveLength(15);
  });
});
