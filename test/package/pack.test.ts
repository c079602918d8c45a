// What is published is what works: the package is installed from its tarball into an empty folder, and used there as
// strangers use it, without a TypeScript file of ours in sight. One install serves all of it.
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  EARSHOT,
  type Installed,
  install,
  lend,
  manifest,
  npmWith,
  ROOT,
  run,
  typeErrors,
  up,
} from './installed.ts';

const INSTALL_MS = 300_000;
const MEGABYTE = 1024 * 1024;
const PEERS = Object.keys(manifest().peerDependencies);
const EXAMPLES = readdirSync(join(ROOT, 'examples', 'embed')).filter((name) => name !== 'terminal.ts');
let installed: Installed;
let home: string;

beforeAll(async () => {
  installed = await install();
  ({ home } = installed);
  for (const folder of ['embed', 'surface'])
    cpSync(join(ROOT, 'examples', folder), join(home, folder), { recursive: true });
  writeFileSync(join(home, 'slack.yaml'), 'agents: [{ id: lead }]\nsurfaces: [{ type: slack }]\n');
  const github = 'agents: [{ id: lead }]\nsurfaces: [{ type: github, repositories: [acme/app] }]\n';
  writeFileSync(join(home, 'github.yaml'), github);
}, INSTALL_MS);

describe('an installed package', () => {
  it('is small, and brings no Node, no page tools and no optional package', () => {
    const { packages, bytes } = installed;
    console.log(`installed: ${(bytes / MEGABYTE).toFixed(1)} MB, ${packages.length} packages`);
    expect(bytes / MEGABYTE).toBeLessThan(45);
    expect(packages.length).toBeLessThan(60);
    const names = packages.map((path) => path.replace('node_modules/', ''));
    const unwanted = /^(?:node-|node$|vite|react|rolldown|lightningcss|uplot|typescript|@tanstack|earshot-)/;
    expect(names.filter((name) => unwanted.test(name) || PEERS.includes(name))).toEqual([]);
    const files = readdirSync(join(home, 'node_modules', 'earshot'), { recursive: true, encoding: 'utf8' });
    expect(
      files.filter((name) => /(?<!\.d)\.tsx?$|\.test\./.test(name) && !name.startsWith('examples')),
    ).toEqual([]);
  });

  it("leaves the user's own Node first in the user's npm scripts", async () => {
    const bin = join(home, 'own-node');
    mkdirSync(bin);
    writeFileSync(join(bin, 'node'), '#!/bin/sh\necho own\n');
    chmodSync(join(bin, 'node'), 0o755);
    const PATH = [bin, process.env['PATH']].join(delimiter);
    expect((await npmWith({ PATH }, home, 'run', '--silent', 'which')).stdout.trim()).toBe('own');
  });

  it('starts its command line from compiled files, and knows its version', async () => {
    expect(await run(home, [EARSHOT, '--version'])).toEqual({
      code: 0,
      out: `${manifest().version}\n`,
      err: '',
    });
  });

  it('has every file that its README links to', () => {
    const folder = join(home, 'node_modules', 'earshot');
    const pages = ['README.md', 'CHANGELOG.md', join('docs', 'README.md')];
    const links = pages.flatMap((page) =>
      [...readFileSync(join(folder, page), 'utf8').matchAll(/\]\(([^)\s#]+)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^https?:/.test(link))
        .map((link) => join(dirname(page), link)),
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
  });

  it('serves the page, and says at /mcp what to install', async () => {
    const host = await up(home);
    const page = await fetch(host.url);
    const html = await page.text();
    expect([page.status, html]).toEqual([200, expect.stringContaining('<div id="root">')]);
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(`${host.url}/${script}`);
    expect(asset.headers.get('content-type')).toMatch(/javascript/);
    expect((await asset.text()).length).toBeGreaterThan(10_000);
    expect(await mcpAnswer(host.url, host.agentToken)).toEqual({
      status: 501,
      text: expect.stringContaining(
        'This host does not serve MCP: this needs the packages @modelcontextprotocol/server and @modelcontextprotocol/node. ' +
          'Run: npm i @modelcontextprotocol/server@2 @modelcontextprotocol/node@2, then restart the host.',
      ),
    });
    expect((await mcpAnswer(host.url, 'nobody')).status).toBe(401);
    expect(await host.stop()).toBe(0);
  });
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

async function mcpAnswer(url: string, token: string) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(INITIALIZE),
  });
  return { status: answer.status, text: await answer.text() };
}

function lineFor(needs: readonly string[]): string {
  const { peerDependencies } = manifest();
  const specs = needs.map((name) => `${name}@${/\d+/.exec(peerDependencies[name] ?? '')?.[0]}`);
  return `this needs the package${needs.length > 1 ? 's' : ''} ${needs.join(' and ')}. Run: npm i ${specs.join(' ')}`;
}

describe('a missing optional package', () => {
  const uses: readonly { what: string; argv: string[]; env?: Record<string, string>; needs: string[] }[] = [
    {
      what: 'a model of Anthropic',
      argv: ['run', '--agent', 'lead', '--model', 'anthropic/claude-sonnet-5-5'],
      env: { ANTHROPIC_API_KEY: 'k' },
      needs: ['ai', '@ai-sdk/anthropic'],
    },
    {
      what: 'a model behind an address',
      argv: ['run', '--agent', 'lead', '--model', 'http://127.0.0.1:9/v1#m'],
      needs: ['ai', '@ai-sdk/openai-compatible'],
    },
    {
      what: 'an ACP agent',
      argv: ['run', '--agent', 'lead', '--url', 'http://127.0.0.1:9', '--acp', '--', process.execPath],
      env: { EARSHOT_TOKEN: 'x' },
      needs: ['@agentclientprotocol/sdk'],
    },
    {
      what: 'the MCP server',
      argv: ['mcp', '--agent', 'lead', '--token', 'x', '--url', 'http://127.0.0.1:9'],
      needs: ['@modelcontextprotocol/server'],
    },
    {
      what: 'Slack',
      argv: ['up', '--port', '0', '--config', 'slack.yaml', '--data', 'slack-data'],
      needs: ['@slack/web-api', '@slack/socket-mode'],
    },
    {
      what: 'GitHub',
      argv: ['up', '--port', '0', '--config', 'github.yaml', '--data', 'github-data'],
      needs: ['@octokit/core', '@octokit/auth-app'],
    },
    {
      what: 'PostgreSQL',
      argv: ['up', '--port', '0', '--store', 'postgres://earshot@127.0.0.1/earshot', '--data', 'pg-data'],
      needs: ['pg'],
    },
  ];

  describe.each(uses)('for $what', ({ argv, env, needs }) => {
    it.each([...needs, 'all of them'])('is told in one line: %s', async (missing) => {
      lend(home, missing === 'all of them' ? [] : PEERS.filter((name) => name !== missing));
      const { code, out, err } = await run(home, [EARSHOT, ...argv], env);
      expect([code, out, err]).toEqual([1, '', `earshot: ${lineFor(needs)}\n`]);
    });
  });

  it.each([
    ['earshot/runners/ai-sdk', ['ai']],
    ['earshot/runners/acp', ['@agentclientprotocol/sdk']],
  ])('is told to whoever imports %s', async (name, needs) => {
    const program = `await import('${name}').catch((error) => console.log(error.name + ': ' + error.message))`;
    const { out } = await run(home, ['--input-type=module', '-e', program]);
    expect(out).toBe(`PackageMissing: ${lineFor(needs)}\n`);
  });

  it('is told at /mcp when it is the second of two', async () => {
    lend(home, ['@modelcontextprotocol/server']);
    const host = await up(home);
    expect((await mcpAnswer(host.url, host.agentToken)).status).toBe(501);
    await host.stop();
  });

  it('is used once it is there', async () => {
    lend(home, PEERS);
    const host = await up(home);
    expect((await mcpAnswer(host.url, host.agentToken)).text).toContain('"serverInfo":{"name":"earshot"');
    await host.stop();
    const program = `
      import { aiSdkRunner, modelByName } from 'earshot/runners/ai-sdk';
      import { acpRunner } from 'earshot/runners/acp';
      const model = await modelByName('anthropic/m', { ANTHROPIC_API_KEY: 'k' });
      const runners = [aiSdkRunner({ model }), acpRunner({ command: 'none' })];
      console.log(runners.map(({ capabilities }) => capabilities.wake).join());`;
    expect((await run(home, ['--input-type=module', '-e', program])).out).toBe('true,true\n');
  });
});

function firstProgram(page: string): string {
  return /^```ts\n(.*?)^```/ms.exec(readFileSync(join(ROOT, page), 'utf8'))?.[1] ?? '';
}

/** The programs of the runners' pages, as files in the user's folder. */
function fromPages(): string[] {
  mkdirSync(join(home, 'pages'), { recursive: true });
  return ['command', 'ai-sdk', 'acp', 'webhook'].map((name) => {
    const file = join('pages', `${name}.ts`);
    writeFileSync(join(home, file), firstProgram(join('docs', 'runners', `${name}.md`)));
    return file;
  });
}

describe('the exports', () => {
  const STRICT = {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    noEmit: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
  };
  const shown = [...EXAMPLES, 'terminal.ts'].map((name) => join('embed', name));

  it('have an example each', () => {
    const files = [...shown, ...fromPages()].map((name) => readFileSync(join(home, name), 'utf8'));
    const names = Object.keys(manifest().exports).filter((name) => name !== './package.json');
    const missing = names.filter((name) => !files.some((text) => text.includes(`'earshot${name.slice(1)}'`)));
    expect(missing).toEqual([]);
  });

  it('have types that a strict program can use, its own checks of our files included', async () => {
    lend(home, ['@types/node']);
    writeFileSync(join(home, 'embed', 'page.ts'), firstProgram(join('docs', 'embedding.md')));
    const files = [...shown, join('embed', 'page.ts'), join('surface', 'board.ts')];
    expect(await typeErrors(home, files, { ...STRICT, skipLibCheck: false })).toBe('');
  });

  it('have types for the runners, with the optional packages there', async () => {
    lend(home, ['@types/node', ...PEERS]);
    expect(await typeErrors(home, fromPages(), { ...STRICT, skipLibCheck: true })).toBe('');
  });

  const PRINTS: Readonly<Record<string, RegExp>> = {
    'host.ts': /^Ada: @lead are you there\? \(accepted\)\nlead: I am, Ada\.\n$/,
    'crash.ts': /^lead: No, it is green\.\n$/,
    'command.ts': /^I read \d+ characters\.\n$/,
    'decide.ts':
      /^lead must answer: it is mentioned\.\nbuilder stays silent: .*\nthe turn starts after 2000 ms of silence\n$/,
    'manners.ts': /^answered once, and took thanks without a word\n$/,
  };

  it.each(EXAMPLES)('run as examples/embed/%s shows', async (name) => {
    const { code, out, err } = await run(home, [join('embed', name)]);
    expect({ code, out, err }).toEqual({
      code: 0,
      out: expect.stringMatching(PRINTS[name] ?? /^nobody knows$/),
      err: '',
    });
  });

  it('run the README example of the fold', async () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const example = /```ts\n(import \{ attend,[\s\S]*?)```/.exec(readme)?.[1] ?? '';
    const event = {
      eventId: 'e1',
      at: '2026-06-02T19:10:00Z',
      platform: 'slack',
      workspaceId: 'T1',
      conversation: { id: 'C1', kind: 'channel' },
      author: { id: 'U1', kind: 'human', displayName: 'Will' },
      type: 'message',
      text: '@lead is the deploy blocked?',
    };
    const record = { kind: 'event', seq: 1, at: 1, event, facts: {} };
    const [imports, ...rest] = example.split('\n\n');
    const given = `const event = ${JSON.stringify(event)};\nconst record = ${JSON.stringify(record)};\n`;
    const program = [imports, given, ...rest, 'console.log(JSON.stringify(decisions[0]));'].join('\n');
    writeFileSync(join(home, 'fold.mjs'), program);
    const { out } = await run(home, ['fold.mjs']);
    expect(JSON.parse(out)).toMatchObject({ agent: 'lead', policy: 'must_respond', reason: 'mention' });
  });
});
