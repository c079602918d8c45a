// Holds the tree to ARCHITECTURE.md and to the rules of style by reading it as text. Every check runs twice: on a small planted
// list, where it must complain about exactly the bad files, and on the real tree, where it must find nothing.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INDEXES } from '../src/store/tables.ts';
import {
  importDirections,
  importsOf,
  LAYERS,
  thirdPartyImports,
  zodAtRunTime,
} from './architecture/imports.ts';
import * as host from './architecture/host.ts';
import { mask } from './architecture/mask.ts';
import * as rules from './architecture/rules.ts';
import { type Check, readTree, type SourceFile } from './architecture/tree.ts';

/** Files over 450 lines that are tables: path and why it is one. */
const LONG_TABLES: Readonly<Record<string, string>> = {};

interface Case {
  rule: string;
  check: Check;
  /** Each of these must be complained about, alone, by the check. */
  bad: Readonly<Record<string, string | readonly string[]>>;
  /** None of these may be. */
  good: Readonly<Record<string, string | readonly string[]>>;
}

const CASES: readonly Case[] = [
  {
    rule: 'imports go in the directions of ARCHITECTURE.md',
    check: importDirections,
    bad: {
      'src/protocol/a.ts': ["import '../runtime/clock.ts';", "import { x } from '../attention/attend.ts';"],
      'src/runtime/a.ts': "import type { X } from '../protocol/vocabulary.ts';",
      'src/attention/a.ts': [
        "import { now } from '../runtime/clock.ts';",
        "export * from '../compose/fold.ts';",
      ],
      'src/attention/intent/a.ts': "import { x } from '../../store/store.ts';",
      'src/compose/a.ts': "import { x } from '../attention/attend.ts';",
      'src/store/a.ts': "const { attend } = await import('../attention/attend.ts');",
      'src/store/sqlite/a.ts': "import { x } from '../../host/ingest.ts';",
      'src/transport/a.ts': "import { x } from '../host/session.ts';",
      'src/host/a.ts': ["import { x } from '../agent/connect.ts';", "import { x } from '../cli/main.ts';"],
      'src/agent/a.ts': ["import { x } from '../host/session.ts';", "import { x } from '../store/store.ts';"],
      'src/surfaces/slack/a.ts': [
        "import { x } from '../discord/post.ts';",
        "import { x } from '../../host/ingest.ts';",
      ],
      'src/surfaces/surface.ts': "import { x } from './slack/post.ts';",
      'src/console/a.ts': "import { x } from '../host/ingest.ts';",
      'src/cli/a.ts': [
        "import { x } from '../../test/fixture.ts';",
        "import { x } from '../../bench/floors.ts';",
      ],
      'src/other/a.ts': "import { x } from '../protocol/vocabulary.ts';",
      'src/a.ts': "import { x } from './host/ingest.ts';",
      'src/protocol/b.ts': "import { attend } from 'earshot/attention';",
    },
    good: {
      'src/protocol/a.ts': "import { x } from './vocabulary.ts';",
      'src/attention/a.ts': "import { x } from '../protocol/vocabulary.ts';",
      'src/attention/a.test.ts': "import { x } from '../cli/main.ts';",
      'src/attention/b.ts': "// import { x } from '../host/ingest.ts';",
      'src/attention/c.ts': 'const sample = "import { x } from \'../host/ingest.ts\';";',
      'src/store/a.ts': "import { x } from '../runtime/clock.ts';",
      'src/host/a.ts': "import { x } from '../store/store.ts'; import { y } from '../compose/fold.ts';",
      'src/agent/a.ts': "import { x } from '../transport/websocket.ts';",
      'src/surfaces/slack/a.ts': "import { x } from '../surface.ts'; import { y } from './post.ts';",
      'src/surfaces/slack/in/a.ts': "import { x } from '../post.ts'; import { y } from '../../surface.ts';",
      'src/console/a.ts': "import { x } from '../attention/attend.ts';",
      'src/cli/a.ts': "import { x } from '../host/ingest.ts'; import p from '../../package.json';",
      'bench/a.ts': "import { x } from '../src/attention/attend.ts';",
    },
  },
  {
    rule: 'inside the host, no import points upward',
    check: host.hostDirections,
    bad: {
      'src/host/kernel/a.ts': "import { send } from '../send/send.ts';",
      'src/host/delivery/a.ts': "import { commitUnit } from '../attend/commit-event.ts';",
      'src/host/ingest/a.ts': "export { createPoster } from '../send/post.ts';",
      'src/host/deliver/a.ts': "const { x } = await import('../harness/session.ts');",
      'src/host/http/routes/a.ts': "import { approve } from '../../operator/approvals.ts';",
      'src/host/web-chat/a.ts': "import { createHost } from '../host.ts';",
      'src/host/elsewhere/a.ts': '',
    },
    good: {
      'src/host/send/a.ts': "import { move } from '../delivery/move.ts'; import { x } from './send.ts';",
      'src/host/kernel/a.ts': "import type { Courier } from '../deliver/courier.ts';",
      'src/host/host.ts': "import { createPoster } from './send/post.ts';",
      'src/host/attend/a.test.ts': "import { createHost } from '../host.ts';",
    },
  },
  {
    rule: 'only the kernel commits',
    check: host.oneCommit,
    bad: {
      'src/host/send/a.ts': [
        'await store.transact(unit);',
        '// in one transaction\n',
        'store.transact<Row>({});',
      ],
      'src/host/host.ts': 'const { transact } = store;',
    },
    good: {
      'src/host/kernel/change.ts': 'store.transact(unit);',
      'src/host/send/a.ts': 'await context.apply(unit);',
      'src/host/send/a.test.ts': 'await store.transact(unit);',
      'src/store/a.ts': 'transact(unit);',
    },
  },
  {
    rule: 'every row has one owner',
    check: host.rowOwners,
    bad: {
      'src/host/turn/a.ts': [
        "const w = { table: 'delivery', row };",
        "return { writes: [{ table: 'inbox', row: { key, open: 1 } }], news: [] };",
        'const row: OutboxRow = { key, agent };',
        "const w = { table: 'offer', remove: key };",
      ],
      'src/host/delivery/a.ts': ["const w = { table: 'outbox', row };", 'const row: SessionRow = { key };'],
      'src/host/due/a.ts': "const w = { table: 'log', remove: key };",
      'src/host/operator/a.ts': "const w = { table: 'unheard', row };",
    },
    good: {
      'src/host/delivery/delivery-row.ts': "return { table: 'delivery', row };",
      'src/host/delivery/offers.ts': "const row: OfferRow = { key }; const w = { table: 'offer', row };",
      'src/host/outbox/a.ts': "const row: OutboxRow = { key }; const w = { table: 'outbox', row };",
      'src/host/turn/a.ts': [
        "const row: DeliveryRow = move(old, 'accepted');",
        "// { table: 'delivery', row }\nconst rows = [['delivery', key]];",
      ],
      'test/host/a.ts': "const w = { table: 'delivery', row };",
    },
  },
  {
    rule: "a row's detail is read by its owner",
    check: host.typedDetail,
    bad: {
      'src/host/turn/a.ts': ["row.detail['decision']", "outbox.body['text'] as string", 'detail[name]'],
    },
    good: {
      'src/host/turn/a.ts': "decisionOf(row); detailOf(row).reminder; // row.detail['decision']\n",
      'src/host/delivery/a.ts': "row.detail['decision']",
    },
  },
  {
    rule: 'there is one shape of change',
    check: host.oneChange,
    bad: {
      'src/host/due/a.ts': [
        'interface Step { writes: Write[]; news: HostNews[] }',
        'type Ended = { news: readonly HostNews[]; writes: readonly Write[] };',
        'function f(): { writes: Write[]; news: HostNews[] } { return g(); }',
      ],
    },
    good: {
      'src/host/kernel/change.ts': 'export interface Change { writes: Write[]; news: HostNews[] }',
      'src/host/due/a.ts': [
        'function f(): Change { return { writes: [one], news: [two] }; }',
        'const writes: Write[] = []; const news: HostNews[] = [];',
      ],
    },
  },
  {
    rule: 'packages and Node modules are imported where they belong',
    check: thirdPartyImports,
    bad: {
      'src/protocol/a.ts': ["import { parse } from 'yaml';", "import { hash } from 'node:crypto';"],
      'src/attention/settings.ts': "import { parse } from 'yaml';",
      'src/attention/a.ts': "import { readFileSync } from 'node:fs';",
      'src/compose/a.ts': ["import { z } from 'zod';", "import type { z } from 'zod';"],
      'src/compose/a.test.ts': "import { z } from 'zod';",
      'src/agent/a.ts': "import { spawn } from 'node:child_process';",
      'src/console/a.tsx': "import { join } from 'node:path';",
    },
    good: {
      'src/protocol/a.ts': "import { z } from 'zod';",
      'src/attention/settings.ts': "import { z } from 'zod';",
      'src/compose/a.test.ts': "import fc from 'fast-check'; import { it } from 'vitest'; import 'node:fs';",
      'src/store/a.ts': "import { DatabaseSync } from 'node:sqlite';",
      'src/host/a.ts': "import { createHash } from 'node:crypto';",
      'src/surfaces/slack/a.ts': "import { WebClient } from '@slack/web-api';",
      'src/cli/a.ts': "import { parse } from 'yaml'; import { join } from 'node:path';",
    },
  },
  {
    rule: 'vocabulary, log records and the fold load no zod at run time',
    check: zodAtRunTime,
    bad: {
      'src/protocol/vocabulary.ts': "import { z } from 'zod';",
      'src/protocol/log-record.ts': "export { z } from 'zod/mini';",
      'src/attention/attend.ts': ["import { z } from 'zod';", "import { type z } from 'zod';"],
      'src/attention/intent/classify.ts': "import { settings } from '../schema-holder.ts';",
    },
    good: {
      'src/protocol/envelope.ts': "import { z } from 'zod';",
      'src/protocol/log-record.ts': "import type { ChatEvent } from './schema-holder.ts';",
      'src/attention/settings-limits.ts': "import { z } from 'zod';",
      'src/attention/attend.ts': "import type { z } from 'zod';",
      'src/attention/index.ts': "export { schema } from './settings.ts';",
      'src/attention/attend.test.ts': "import { schema } from './settings.ts';",
    },
  },
  {
    rule: 'time, chance and environment stay in runtime',
    check: rules.purity,
    bad: {
      'src/host/a.ts': [
        'const at = Date.now();',
        'const clock = Date.now;',
        'const at = new Date();',
        'const at = new Date;',
        'const at = Date();',
        'const at = performance.now();',
        'const id = crypto.randomUUID();',
        'const x = Math.random();',
        'setTimeout(run, 5);',
        'globalThis.setInterval(run, 5);',
        'setImmediate(run);',
        `const text = \`\${Math.random()}\`;`,
        'const x = a / b; const y = Math.random(); const z = c / d;',
        'const home = process.env.HOME;',
        'process.exit(1);',
      ],
      'src/attention/a.test.ts': 'const at = Date.now();',
      'src/cli/a.ts': 'const at = Date.now();',
    },
    good: {
      'src/runtime/clock.ts': 'export const now = () => Date.now(); process.env.X; setTimeout(f, 1);',
      'src/console/a.ts': 'const at = new Date(); setTimeout(f, 1);',
      'src/cli/a.ts': 'const home = process.env.HOME; process.exit(1);',
      'src/host/a.ts': [
        "const at = new Date('2026-06-02T00:00:00Z'); const b = new Date(ms); Date.parse(text);",
        "// Date.now() is runtime's\nconst text = 'Math.random()'; const quote = /['\"`]/; /* setTimeout */",
        'clock.setTimeout(run, 5); subprocess.exit(); event.process.id;',
      ],
    },
  },
  {
    rule: 'files are named in kebab-case for what they hold',
    check: rules.fileNames,
    bad: {
      'src/host/utils.ts': '',
      'src/host/string-utils.ts': '',
      'src/host/helpers/a.ts': '',
      'src/host/common.ts': '',
      'src/host/session-manager.ts': '',
      'src/host/service.test.ts': '',
      'test/misc.ts': '',
      'src/host/sessionStore.ts': '',
      'src/host/Session.ts': '',
      'src/host/session_store.ts': '',
    },
    good: {
      'src/host/session-store.ts': '',
      'src/store/sqlite/0001-events.ts': '',
      'src/a/b.property.test.ts': '',
    },
  },
  {
    rule: 'an index.ts only exports',
    check: rules.indexFiles,
    bad: {
      'src/protocol/index.ts': [
        'export const x = 1;',
        "import { x } from './a.ts';\nexport { x };",
        "export * from './a.ts';\nstart();",
      ],
    },
    good: {
      'src/protocol/index.ts':
        "// What others import.\nexport * from './a.ts';\nexport type { X } from './b.ts';\nexport {\n  a,\n  type B,\n} from './c.ts';\n",
      'src/protocol/a.ts': 'export const x = 1;',
    },
  },
  {
    rule: 'no file is over 450 lines but listed tables',
    check: rules.fileSizes(LONG_TABLES),
    bad: { 'src/host/a.ts': 'x;\n'.repeat(451), 'src/host/a.test.ts': 'x;\n'.repeat(451) },
    good: { 'src/host/a.ts': 'x;\n'.repeat(450), 'test/a.ts': 'x;\n'.repeat(451) },
  },
  {
    rule: 'every file but tests and fixtures opens with a comment',
    check: rules.openings,
    bad: {
      'src/host/a.ts': ["import 'x';\n// late\n", '//\nexport {};\n', ''],
      'src/host/test.ts': "import 'x';\n",
      'src/host/a-fixture.ts': "import 'x';\n",
      'src/host/a.test/b.ts': "import 'x';\n",
    },
    good: {
      'src/host/a.ts': ['// Why.\n', '/** Why. */\n', '#!/usr/bin/env node\n// Why.\n'],
      'src/host/a.test.ts': ["import 'x';\n", '// Why.\n'],
      'src/host/a.property.test.ts': "import 'x';\n",
      'src/host/a.fixture.ts': "import 'x';\n",
      'test/a.ts': "import 'x';\n",
    },
  },
  {
    rule: 'the type checker and the linter are not silenced',
    check: rules.suppressions,
    bad: {
      'src/host/a.ts': [
        'let x: any;',
        'const y = x as any;',
        'const list: any[] = [];',
        'const map = new Map<string, any>();',
        'const schema = z.any();',
        '// @ts-ignore\nf();',
        '// @ts-expect-error\nf();',
        '// oxlint-disable-next-line no-console\n',
        '/* eslint-disable */',
        '// biome-ignore format: no\n',
      ],
    },
    good: {
      'src/host/a.ts': [
        '// any word\nconst text = "any"; Promise.any(all); const o = { any: 1 }; any(x);',
        'const company = many;',
      ],
      'test/a.ts': 'let x: any;',
    },
  },
  {
    rule: 'nothing is left to do in a comment',
    check: rules.leftovers,
    bad: { 'src/host/a.ts': ['// TODO later\n', '/* FIXME */'] },
    good: { 'src/host/a.ts': "const words = ['todo'];", 'test/a.ts': '// TODO later\n' },
  },
  {
    rule: 'every test runs',
    check: rules.skippedTests,
    bad: {
      'test/a.test.ts': [
        "it.skip('x', f);",
        "describe.only('x', f);",
        "test.todo('x');",
        "it.concurrent.only('x', f);",
        "it.skip.each([1])('x', f);",
        "xit('x', f);",
      ],
    },
    good: {
      'test/a.test.ts':
        "it('it.skip is a word', f); it.each([1])('x', f); // it.only\nlist.only(); expect(it).todo;",
    },
  },
];

/** Imported by planted files: a module that has zod, as chat-event.ts has. */
const ZOD_HOLDERS: readonly SourceFile[] = ['protocol', 'attention'].map((folder) => ({
  path: `src/${folder}/schema-holder.ts`,
  text: "import { z } from 'zod';",
}));

function samples(planted: Case['bad']): SourceFile[] {
  return Object.entries(planted).flatMap(([path, texts]) =>
    (typeof texts === 'string' ? [texts] : texts).map((text) => ({ path, text })),
  );
}

function complaintsAbout(check: Check, file: SourceFile): string[] {
  const files = check === zodAtRunTime ? [...ZOD_HOLDERS, file] : [file];
  return check(files).filter((complaint) => complaint.startsWith(`${file.path}:`));
}

const tree = readTree('src', 'test', 'bench', 'scripts');

describe.each(CASES)('$rule', ({ check, bad, good }) => {
  it('complains about each planted bad file', () => {
    expect(samples(bad).filter((file) => complaintsAbout(check, file).length === 0)).toEqual([]);
  });
  it('leaves each planted good file alone', () => {
    expect(samples(good).flatMap((file) => complaintsAbout(check, file))).toEqual([]);
  });
  it('holds in the tree', () => {
    expect(check(tree).join('\n')).toBe('');
  });
});

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
  const table = (heading: string): string[][] => {
    const [, section = ''] = page.split(`${heading}\n`);
    const rows = (/(?:^\|.*\n)+/m.exec(section)?.[0] ?? '').trim().split('\n').slice(2);
    return rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`|`$/g, '')),
    );
  };
  it('lists the folders of src with who they may import', () => {
    const listed = table('## The tree and who may import whom').map(([folder = '']) => folder);
    const folders = listed.filter((name) => name.startsWith('src/')).map((name) => name.slice('src/'.length));
    expect(folders.toSorted()).toEqual(Object.keys(LAYERS).toSorted());
  });
  it('lists the folders of the host from the bottom to the top', () => {
    const listed = table('### Inside `src/host`').map(([folder = '']) => folder);
    expect([...listed, '']).toEqual(host.HOST_FOLDERS);
  });
  it('lists the owner of every table', () => {
    const listed = Object.fromEntries(
      table('## Every row has one owner').map(([name = '', owner = '']) => [name, owner]),
    );
    expect(listed).toEqual(host.ROW_OWNERS);
    expect(Object.keys(listed).toSorted()).toEqual(Object.keys(INDEXES).toSorted());
  });
  it('names only files that exist', () => {
    const named = [...page.matchAll(/`((?:src\/|host\/)?[\w-]+(?:\/[\w-]+)*\/[\w-]+\.ts)`/g)].map(
      ([, path = '']) => path,
    );
    const known = tree.map(({ path }) => path);
    const missing = named.filter((path) => !known.some((file) => file.endsWith(`/${path}`) || file === path));
    expect(missing).toEqual([]);
  });
});

describe('the checks themselves', () => {
  it('read the real tree', () => {
    expect(tree.map((file) => file.path)).toContain('src/protocol/vocabulary.ts');
  });
  it('know every folder that may be imported', () => {
    const named = Object.values(LAYERS).flatMap((layer) => layer.ours);
    expect(named.filter((folder) => LAYERS[folder] === undefined)).toEqual([]);
    expect(named).not.toContain('cli');
  });
  it('complain about a listed table that is short or gone', () => {
    const check = rules.fileSizes({ 'src/host/words.ts': 'a word list', 'src/host/gone.ts': 'a word list' });
    expect(check([{ path: 'src/host/words.ts', text: 'x;\n' }])).toHaveLength(2);
    expect(check([{ path: 'src/host/words.ts', text: 'x;\n'.repeat(500) }])).toHaveLength(1);
  });
  it('see every form of import', () => {
    const text = `import a from 'a';
import 'b';
import type { C } from 'c';
export { d } from "d";
export type { E } from 'e';
import {
  f,
  type G,
} from 'f';
const g = await import('g');
export const from = 'none';`;
    expect(
      importsOf(text).map(({ specifier, typeOnly }) => (typeOnly ? `type ${specifier}` : specifier)),
    ).toEqual(['a', 'b', 'type c', 'd', 'type e', 'f', 'g']);
  });
  it('blank comments and strings without moving anything', () => {
    const text = "a('x // y', `b ${c('d')} e`, /[/'\"]/g) / 2; // f\n/* g\n */ h";
    const { code, uncommented } = mask(text);
    expect(code).toBe("a('      ', `  ${c(' ')}  `, /     /g) / 2;     \n    \n    h");
    expect(uncommented).toBe("a('x // y', `b ${c('d')} e`, /[/'\"]/g) / 2;     \n    \n    h");
  });
});
