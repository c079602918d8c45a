// GET / and its files: serves the built console page, from one folder only. The files hold no data and need no token.
// Everything the page does goes through the API, with a token.
import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServerContext } from '../context.ts';
import { param } from '../request.ts';

/** The content security policy: scripts and styles only from our files, connections only to this host, no frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Plain file names, none hidden. Nothing here can lead out of the folder. */
const PATH = /^(?:[\w-][\w.-]*\/){0,4}[\w-][\w.-]*$/;
/** The build puts a hash of the content into these names, so they may be cached for ever. */
const HASHED = /^assets\//;

export function pageRoutes(app: FastifyInstance, { page }: ServerContext): void {
  app.get('/', async (_request, reply) => {
    const found = await fileAt(page, 'index.html');
    return sendFile(reply, found ?? Buffer.from(NOT_BUILT), '.html', 'no-cache');
  });
  app.get('/*', async (request, reply) => {
    const path = param(request, '*');
    const found = await fileAt(page, path);
    if (found === undefined) return reply.callNotFound();
    const caching = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'no-cache';
    return sendFile(reply, found, extname(path), caching);
  });
}

function sendFile(reply: FastifyReply, body: Buffer, extension: string, caching: string): FastifyReply {
  return reply
    .headers({
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'cache-control': caching,
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(body);
}

/** Reads the file each time, so a new build is served at once. A symbolic link out of the folder finds nothing. */
async function fileAt(folder: string | undefined, path: string): Promise<Buffer | undefined> {
  if (folder === undefined || !PATH.test(path) || TYPES[extname(path)] === undefined) return undefined;
  try {
    const [root, file] = await Promise.all([realpath(folder), realpath(join(folder, path))]);
    return file.startsWith(`${root}${sep}`) ? await readFile(file) : undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Earshot</title>
<h1>Earshot is up</h1>
<p>Its page is not built. Run <code>npm run build:page</code>, then load this again.</p>
<p>Everything else works: see <code>docs/http.md</code>.</p>
</html>
`;
