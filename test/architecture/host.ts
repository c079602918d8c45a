// The rules of src/host that can be read off its text: folders import downwards, one place commits, every row has one
// owner, and there is one shape of change. ARCHITECTURE.md has the same tables for people.
import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { mask } from './mask.ts';
import { type Check, complain, isTest, type SourceFile } from './tree.ts';

/** From the bottom to the top: a folder imports, at run time, itself and what stands before it. '' is host.ts and server.ts. */
export const HOST_FOLDERS: readonly string[] = [
  'security',
  'kernel',
  'inbox',
  'delivery',
  'outbox',
  'session',
  'attend',
  'check',
  'ingest',
  'surfaces',
  'read',
  'opinion',
  'deliver',
  'send',
  'turn',
  'due',
  'tools',
  'harness',
  'http',
  'mcp',
  'operator',
  'web-chat',
  '',
];

/** Which file or folder of src/host writes the rows of each table. */
export const ROW_OWNERS: Readonly<Record<string, string>> = {
  log: 'attend/',
  delivery: 'delivery/',
  offer: 'delivery/offers.ts',
  outbox: 'outbox/',
  file: 'outbox/',
  inbox: 'inbox/',
  session: 'session/',
  token: 'security/tokens.ts',
  pairing: 'security/pairing.ts',
  grant: 'security/pairing.ts',
  audit: 'kernel/audit.ts',
  cursor: 'web-chat/read-marks.ts',
  prompt: 'turn/prompts.ts',
  settings: 'kernel/settings-row.ts',
};

const HOST = 'src/host/';

const hostFiles = (files: readonly SourceFile[]): SourceFile[] =>
  files.filter(({ path }) => path.startsWith(HOST) && !isTest(path) && !path.endsWith('.fixture.ts'));

function hostFolder(path: string): string {
  const [folder = '', ...rest] = path.slice(HOST.length).split('/');
  return rest.length === 0 ? '' : folder;
}

/** No import that loads anything points upward. */
export const hostDirections: Check = (files) =>
  hostFiles(files).flatMap((file) => {
    const from = hostFolder(file.path);
    const rank = HOST_FOLDERS.indexOf(from);
    if (rank < 0) return [`${file.path}:1: the folder "${from}" is not in HOST_FOLDERS: say where it stands`];
    return importsOf(file.text).flatMap(({ specifier, typeOnly, index }) => {
      if (typeOnly || !specifier.startsWith('.')) return [];
      const target = posix.normalize(posix.join(posix.dirname(file.path), specifier));
      if (!target.startsWith(HOST)) return [];
      const to = hostFolder(target);
      if (HOST_FOLDERS.indexOf(to) <= rank) return [];
      return [
        complain(
          file,
          index,
          `${from || 'host.ts'} stands below ${to || 'host.ts'}: import its type, or pass it in`,
        ),
      ];
    });
  });

/** Only kernel/change.ts commits; not even a comment elsewhere speaks of it in the store's word. */
export const oneCommit: Check = (files) =>
  hostFiles(files).flatMap((file) => {
    if (hostFolder(file.path) === 'kernel') return [];
    return [...file.text.matchAll(/transact/g)].map((hit) =>
      complain(file, hit.index, 'only the kernel commits: build a Change and hand it to `apply`'),
    );
  });

const WRITES_A_ROW = /\btable:\s*'([a-z]+)'/g;
const TYPED_ROW =
  /:\s*(Log|Delivery|Outbox|File|Inbox|Session|Offer|Token|Pairing|Grant|Audit|Cursor)Row\s*=\s*\{/g;

/** A row is built and written by its owner alone. */
export const rowOwners: Check = (files) =>
  hostFiles(files).flatMap((file) => {
    const { uncommented } = mask(file.text);
    const path = file.path.slice(HOST.length);
    const hits = [...uncommented.matchAll(WRITES_A_ROW), ...uncommented.matchAll(TYPED_ROW)];
    return hits.flatMap((hit) => {
      const table = (hit[1] ?? '').toLowerCase();
      const owner = ROW_OWNERS[table];
      if (owner !== undefined && path.startsWith(owner)) return [];
      const whose =
        owner === undefined ? 'no owner: add one to ROW_OWNERS' : `built in ${HOST}${owner} alone`;
      return [complain(file, hit.index, `rows of "${table}" are ${whose}`)];
    });
  });

const BY_NAME = /\b(detail|body)\s*\[/g;

/** What a row's detail or body holds is read through its owner's types. */
export const typedDetail: Check = (files) =>
  hostFiles(files).flatMap((file) => {
    const folder = hostFolder(file.path);
    if (folder === 'delivery' || folder === 'outbox' || folder === 'inbox') return [];
    const { code } = mask(file.text);
    return [...code.matchAll(BY_NAME)].map((hit) =>
      complain(file, hit.index, `${hit[1]}[…]: ask the owner of the row for a typed reader`),
    );
  });

const MEMBER = (name: string): RegExp =>
  new RegExp(`\\b${name}\\??:\\s*(?:readonly\\s+)?(?:\\w+\\[\\]|\\w*Array<)`);

/** Writes and news together are a Change, and there is one. */
export const oneChange: Check = (files) =>
  hostFiles(files).flatMap((file) => {
    if (file.path === `${HOST}kernel/change.ts`) return [];
    const { code } = mask(file.text);
    return [...code.matchAll(/\{[^{}]*\}/g)].flatMap((hit) => {
      const [block] = hit;
      if (!MEMBER('writes').test(block) || !MEMBER('news').test(block)) return [];
      return [complain(file, hit.index, 'writes and news together are a Change (kernel/change.ts)')];
    });
  });
