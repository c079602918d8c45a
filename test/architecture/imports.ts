// Who may import whom: the tree of ARCHITECTURE.md as a table, and the checks that hold the tree to it.
// A type-only import (`import type`) is a dependency in direction, but loads nothing at run time; `import { type X }`
// does load its module under verbatimModuleSyntax and so counts as run time.
import { posix } from 'node:path';
import { mask } from './mask.ts';
import { type Check, type Complaint, complain, folderOf, isTest, type SourceFile } from './tree.ts';

interface Layer {
  /** Folders of ours it may import besides itself. */
  ours: readonly string[];
  /** npm packages it may import; `any` where the choice is the folder's own. */
  packages: readonly string[] | 'any';
  /** Whether it may import `node:` modules. */
  builtins: boolean;
}

const EVERY_FOLDER = [
  'protocol',
  'runtime',
  'attention',
  'compose',
  'store',
  'transport',
  'host',
  'agent',
  'surfaces',
  'console',
  'demo',
  'conform',
];

export const LAYERS: Readonly<Record<string, Layer>> = {
  protocol: { ours: [], packages: ['zod'], builtins: false },
  runtime: { ours: [], packages: 'any', builtins: true },
  // zod in settings*.ts only: see mustBeZodFree.
  attention: { ours: ['protocol'], packages: ['zod'], builtins: false },
  compose: { ours: ['protocol'], packages: [], builtins: false },
  store: { ours: ['protocol', 'runtime'], packages: 'any', builtins: true },
  transport: { ours: ['protocol', 'runtime'], packages: 'any', builtins: true },
  host: {
    ours: ['protocol', 'runtime', 'store', 'transport', 'attention', 'compose'],
    packages: 'any',
    builtins: true,
  },
  agent: { ours: ['protocol', 'compose', 'transport', 'runtime'], packages: 'any', builtins: false },
  surfaces: { ours: ['protocol', 'runtime'], packages: 'any', builtins: true },
  console: { ours: ['attention', 'protocol'], packages: 'any', builtins: false },
  demo: { ours: ['agent', 'protocol', 'runtime', 'transport'], packages: [], builtins: false },
  conform: { ours: ['protocol', 'runtime', 'transport'], packages: ['zod'], builtins: true },
  // What strangers import as `earshot/host`: it chooses defaults for what the host is given.
  embed: {
    ours: ['protocol', 'runtime', 'attention', 'store', 'transport', 'host', 'surfaces'],
    packages: ['zod'],
    builtins: false,
  },
  testing: { ours: EVERY_FOLDER, packages: [], builtins: false },
  cli: { ours: EVERY_FOLDER, packages: 'any', builtins: true },
};

/** What tests may import on top of their folder's row. */
const TEST_PACKAGES = ['vitest', 'fast-check'];

/** Files that must not load zod, not even through another file: an agent author pays 50 ms for it. */
export function mustBeZodFree(path: string): boolean {
  if (isTest(path)) return false;
  if (path === 'src/protocol/vocabulary.ts' || path === 'src/protocol/log-record.ts') return true;
  return path.startsWith('src/attention/') && !/\/(?:settings[^/]*|index)\.ts$/.test(path);
}

export interface Import {
  specifier: string;
  typeOnly: boolean;
  /** `import()`: loaded when it is called, not with its file. */
  dynamic?: true;
  index: number;
}

const STATEMENT = /\b(?:import|export)\b(\s+type\b)?(?:[^'"`;()]*?\bfrom)?\s*(['"]) *\2/g;
const DYNAMIC = /\bimport\s*\(\s*(['"`]) *\1/g;

export function importsOf(text: string): Import[] {
  const { code, uncommented } = mask(text);
  const found: Import[] = [];
  for (const hit of code.matchAll(STATEMENT)) {
    found.push({
      specifier: lastLiteral(uncommented, hit),
      typeOnly: hit[1] !== undefined,
      index: hit.index,
    });
  }
  for (const hit of code.matchAll(DYNAMIC)) {
    found.push({
      specifier: lastLiteral(uncommented, hit),
      typeOnly: false,
      dynamic: true,
      index: hit.index,
    });
  }
  return found;
}

function lastLiteral(uncommented: string, hit: RegExpExecArray): string {
  const text = uncommented.slice(hit.index, hit.index + hit[0].length);
  const quote = text.at(-1) ?? '';
  return text.slice(text.lastIndexOf(quote, text.length - 2) + 1, -1);
}

/** The path in our tree that an import names, or undefined for a package or a builtin. */
function ownPath(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  if (specifier === 'earshot') return 'src/index.ts';
  if (specifier.startsWith('earshot/')) return `src/${specifier.slice('earshot/'.length)}/index.ts`;
  return undefined;
}

/** (a) Import directions. Tests are free: they may look at a folder from anywhere. */
export const importDirections: Check = (files) =>
  files
    .filter((file) => file.path.startsWith('src/') && !isTest(file.path))
    .flatMap((file) =>
      importsOf(file.text).flatMap(({ specifier, index }) => {
        const target = ownPath(file.path, specifier);
        const wrong = target === undefined ? undefined : wrongDirection(file.path, target);
        return wrong === undefined ? [] : [complain(file, index, `imports "${specifier}": ${wrong}`)];
      }),
    );

function wrongDirection(from: string, target: string): string | undefined {
  const folder = folderOf(from) ?? '';
  const other = folderOf(target);
  if (other === undefined) {
    return target.endsWith('.json') ? undefined : 'src imports nothing outside src';
  }
  const layer = LAYERS[folder];
  if (layer === undefined) {
    return `src/${folder} has no row in LAYERS (test/architecture/imports.ts): say there what it may import`;
  }
  if (folder === 'surfaces' && other === 'surfaces') return wrongSurface(from, target);
  if (folder === 'host' && target === 'src/surfaces/surface.ts') return undefined; // the port, never a surface
  if (folder === 'console' && target === 'src/demo/guide.ts') return undefined; // the steps, as data
  if (folder === other || layer.ours.includes(other)) return undefined;
  const allowed = layer.ours.length === 0 ? 'nothing of ours' : layer.ours.join(', ');
  return `${folder} may import ${allowed}`;
}

/** A surface knows its port (files directly in surfaces/) and its own folder, never another surface. */
function wrongSurface(from: string, target: string): string | undefined {
  const [own, other] = [posix.dirname(from), posix.dirname(target)];
  if (other === 'src/surfaces' || other === own || other.startsWith(`${own}/`)) {
    return own === 'src/surfaces' && other !== own ? 'the port knows no surface' : undefined;
  }
  const surface = own.split('/')[2];
  return other.split('/')[2] === surface ? undefined : 'a surface imports its port and itself';
}

/** (b) Packages and builtins, per folder. */
export const thirdPartyImports: Check = (files) =>
  files
    .filter((file) => file.path.startsWith('src/'))
    .flatMap((file) =>
      importsOf(file.text).flatMap(({ specifier, index }) => {
        const wrong = ownPath(file.path, specifier) === undefined && wrongPackage(file.path, specifier);
        return wrong ? [complain(file, index, wrong)] : [];
      }),
    );

function wrongPackage(path: string, specifier: string): string | undefined {
  const folder = folderOf(path) ?? '';
  const layer = LAYERS[folder];
  // A folder without a row is importDirections' complaint.
  if (layer === undefined) return undefined;
  if (specifier.startsWith('node:')) {
    return layer.builtins || isTest(path) || path.startsWith('src/agent/runners/')
      ? undefined
      : `imports "${specifier}": ${folder} uses no Node module, take it through a port`;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (isTest(path) && TEST_PACKAGES.includes(name)) return undefined;
  if (layer.packages === 'any' || layer.packages.includes(name)) return undefined;
  return `imports "${specifier}": ${folder} may import ${layer.packages.join(', ') || 'no package'}`;
}

/** (b) zod at run time, followed through our own files. */
export const zodAtRunTime: Check = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return files
    .filter((file) => mustBeZodFree(file.path))
    .flatMap((file): Complaint[] => {
      const way = wayToZod(file, byPath, new Set());
      return way === undefined
        ? []
        : [`${file.path}: loads zod at run time (${[...way, 'zod'].join(' → ')}); import the type only`];
    });
};

function wayToZod(
  file: SourceFile,
  byPath: ReadonlyMap<string, SourceFile>,
  seen: Set<string>,
): string[] | undefined {
  seen.add(file.path);
  for (const { specifier, typeOnly } of importsOf(file.text)) {
    if (typeOnly) continue;
    if (specifier === 'zod' || specifier.startsWith('zod/')) return [file.path];
    const next = byPath.get(ownPath(file.path, specifier) ?? '');
    if (next === undefined || seen.has(next.path)) continue;
    const way = wayToZod(next, byPath, seen);
    if (way !== undefined) return [file.path, ...way];
  }
  return undefined;
}
