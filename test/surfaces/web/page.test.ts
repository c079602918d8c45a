import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { office } from './office.ts';

function built(): string {
  const outside = mkdtempSync(join(tmpdir(), 'earshot-page-'));
  const folder = join(outside, 'console');
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><script type="module" src="./assets/a-1.js"></script>',
  );
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets', 'a-1.js'), 'export {};');
  writeFileSync(join(folder, '.source-hash'), 'hidden');
  writeFileSync(join(outside, 'secret.json'), '{"outside":true}');
  symlinkSync(join(outside, 'secret.json'), join(folder, 'assets', 'link.json'));
  return folder;
}

/** As it stands, without a client that tidies the path up. */
function rawGet(url: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    });
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

describe('the page', () => {
  it('is served with its files, a strict policy, and files named by their content kept for good', async () => {
    const { url } = await office({ page: built() });
    const page = await fetch(`${url}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    const asset = await fetch(`${url}/assets/a-1.js`);
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await asset.text()).toBe('export {};');
    expect((await fetch(`${url}/icon.svg`)).headers.get('content-type')).toBe('image/svg+xml');
    expect((await fetch(`${url}/`, { method: 'HEAD' })).status).toBe(200);
  });

  it.each([
    '/../secret.json',
    '/assets/../../secret.json',
    '/%2e%2e/secret.json',
    '/..%2fsecret.json',
    '/assets%2f..%2f..%2fsecret.json',
    '/assets/..\\..\\secret.json',
    '/assets/link.json',
    '/.source-hash',
    '/assets',
    '/assets/',
    '//etc/passwd',
    '/%00index.html',
    '/nothing.js',
    '/v1/nothing',
  ])('gives nothing else away: %s', async (path) => {
    const { url } = await office({ page: built() });
    const answer = await rawGet(url, path);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toContain('outside');
    expect(answer).toContain('"error"');
  });

  it('that is not built says how to build it', async () => {
    const { url } = await office();
    const page = await fetch(`${url}/`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('npm run build:page');
    expect((await fetch(`${url}/assets/a-1.js`)).status).toBe(404);
  });
});
