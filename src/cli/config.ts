// Reads earshot.yaml and checks it against the schemas. A complaint names the line, the key, what was expected and what
// to write instead. `loadConfig` reads the attention settings only; `parseHostConfig` reads the section `host` as well.
import { readFile } from 'node:fs/promises';
import { isNode, isPair, isScalar, type Document, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { type AttentionSettings, attentionSettingsSchema } from '../attention/settings.ts';
import { type HostSettings, hostSettingsSchema } from '../host/kernel/settings.ts';
import { type Complaint, complaintsOf, isObject, pathText } from './complaint.ts';
import { exampleFor, MINIMAL_CONFIG } from './config-examples.ts';
import { CommandError } from './io.ts';
import { loginComplaints } from './login-complaints.ts';
import { suggestion } from './nearest.ts';
import { type SurfaceSettings, surfacesSchema } from './platforms.ts';

export const DEFAULT_CONFIG = 'earshot.yaml';
/** Sections of the file that are not about attention. */
const OTHER_SECTIONS = ['host', 'surfaces'];
const CONFIG_CHARS = 4_000_000;
const COMPLAINTS = 5;

export async function loadConfig(path: string | undefined): Promise<AttentionSettings> {
  const name = path ?? DEFAULT_CONFIG;
  return parseConfig(await readConfig(name, path === undefined), name);
}

export async function readConfig(name: string, isDefault: boolean): Promise<string> {
  try {
    return await readFile(name, 'utf8');
  } catch (error) {
    throw unreadable(name, isDefault, error as NodeJS.ErrnoException);
  }
}

function unreadable(name: string, isDefault: boolean, error: NodeJS.ErrnoException): CommandError {
  const write = `a minimal one is:\n${MINIMAL_CONFIG}`;
  if (error.code === 'ENOENT') {
    return isDefault
      ? new CommandError(
          1,
          `no ${DEFAULT_CONFIG} here: name one with --config FILE, or write one with "earshot init"; ${write}`,
        )
      : new CommandError(1, `${name}: no such file; ${write}`);
  }
  if (error.code === 'EISDIR') return new CommandError(1, `${name} is a directory: name the YAML file in it`);
  return new CommandError(1, `${name} cannot be read (${error.code ?? error.message})`, { cause: error });
}

export function parseConfig(text: string, name: string): AttentionSettings {
  const file = parseYaml(text, name);
  return attentionOf(file);
}

export interface HostConfig {
  attention: AttentionSettings;
  host: HostSettings;
  surfaces: SurfaceSettings[];
}

/** The whole file, as `earshot up` needs it. */
export function parseHostConfig(text: string, name: string): HostConfig {
  const file = parseYaml(text, name);
  const attention = attentionOf(file);
  const host = checked(file, hostSettingsSchema, file.value.host ?? {}, ['host']);
  const surfaces = checked(file, surfacesSchema, file.value.surfaces ?? [], ['surfaces']);
  const agents = attention.agents.map(({ id }) => id);
  const complaints = [
    ...hostComplaints({ attention, host, surfaces }),
    ...loginComplaints(surfaces, file.value['surfaces'], agents),
  ];
  for (const complaint of complaints) throw new CommandError(1, complaintLine(complaint, file));
  return { attention, host, surfaces };
}

/** Whether the file says which port, and does not leave it to the default. */
export function hasPort(text: string, name: string): boolean {
  return parseYaml(text, name).document.hasIn(['host', 'listen', 'port']);
}

/** Mistakes that only several keys together show. */
function* hostComplaints({ attention, host, surfaces }: HostConfig): Generator<Complaint> {
  const taken = new Set(['web', 'earshot', ...host.sources.map(({ id }) => id)]);
  for (const [index, { id }] of surfaces.entries()) {
    if (taken.has(id))
      yield { path: ['surfaces', index, 'id'], expected: `"${id}" is taken; give it another id` };
    taken.add(id);
  }
  yield* unknownAgents(surfaces, attention);
  for (const [index, source] of host.sources.entries()) {
    const { id, secret } = source;
    const path = ['host', 'sources', index];
    const asked = (['url', 'attachmentsUrl', 'historyUrl'] as const).find((key) => source[key] !== undefined);
    if (asked !== undefined && secret === undefined) {
      yield { path, expected: `"${id}" has a ${asked}, so it needs a secret to sign with: secret: whsec_…` };
    }
  }
  const agents = attention.agents.map(({ id }) => id);
  for (const [index, { agent }] of host.webhooks.entries()) {
    const path = ['host', 'webhooks', index];
    if (!agents.includes(agent)) {
      yield { path: [...path, 'agent'], expected: `no agent has this id; ${suggestion(agent, agents)}` };
    }
  }
}

function* unknownAgents(
  surfaces: HostConfig['surfaces'],
  { agents }: HostConfig['attention'],
): Generator<Complaint> {
  const known = agents.map(({ id }) => id);
  for (const [index, surface] of surfaces.entries()) {
    for (const [at, id] of (surface.agents ?? []).entries()) {
      if (known.includes(id)) continue;
      const path = ['surfaces', index, 'agents', at];
      yield { path, expected: `no agent has this id; ${suggestion(id, known)}` };
    }
  }
}

interface ConfigFile {
  name: string;
  document: Document.Parsed;
  lines: LineCounter;
  value: Record<string, unknown>;
}

function parseYaml(text: string, name: string): ConfigFile {
  if (text.length > CONFIG_CHARS || text.includes('\0')) {
    throw new CommandError(1, `${name} is no YAML text file: a minimal one is:\n${MINIMAL_CONFIG}`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new CommandError(
      1,
      `${name}:${lines.linePos(broken.pos[0]).line}: not valid YAML: ${broken.message}`,
    );
  }
  return { name, document, lines, value: plainValue(document, name) };
}

function attentionOf(file: ConfigFile): AttentionSettings {
  const settings = checked(file, attentionSettingsSchema, attentionPart(file.value), []);
  if (settings.agents.length === 0) {
    throw new CommandError(
      1,
      `${file.name}: agents: none configured, so nobody would decide; write:\n${MINIMAL_CONFIG}`,
    );
  }
  return settings;
}

function checked<S extends z.ZodType>(
  file: ConfigFile,
  schema: S,
  value: unknown,
  above: readonly PropertyKey[],
): z.infer<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = complaintsOf(schema, parsed.error, value).slice(0, COMPLAINTS);
  const said = complaints.map(({ path, expected }) =>
    complaintLine({ path: [...above, ...path], expected }, file),
  );
  throw new CommandError(1, said.join('\n'));
}

function plainValue(document: Document.Parsed, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = document.toJS();
  } catch (error) {
    // Too many aliases: the file would expand to gigabytes.
    throw new CommandError(1, `${name}: not usable as YAML: ${(error as Error).message}`, { cause: error });
  }
  if (isObject(value) && !Array.isArray(value)) return value;
  throw new CommandError(
    1,
    `${name}: expected keys such as "agents:", ${value === null ? 'but it is empty' : 'got something else'}; write:\n${MINIMAL_CONFIG}`,
  );
}

function attentionPart(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !OTHER_SECTIONS.includes(key)));
}

function complaintLine({ path, expected }: Complaint, { name, document, lines }: ConfigFile): string {
  const line = lineOf(path, document, lines);
  const where = line === undefined ? name : `${name}:${line}`;
  // At the top level the other sections are known keys too.
  const known = [...Object.keys(attentionSettingsSchema.shape), ...OTHER_SECTIONS];
  const said =
    path.length === 1 && expected.startsWith('unknown key')
      ? `unknown key; ${suggestion(String(path[0]), known)}`
      : expected;
  const example = exampleFor(expected.startsWith('unknown key') ? nearestPath(path, said) : path);
  return `${where}: ${pathText(path, 'file')}: ${said}${example === undefined ? '' : `${said.endsWith('?') ? '' : ';'} write: ${example}`}`;
}

/** After "did you mean", shows the example of the suggested key. */
function nearestPath(path: readonly PropertyKey[], said: string): PropertyKey[] {
  const meant = /did you mean "(.+)"\?/.exec(said)?.[1];
  return meant === undefined ? path.slice(0, -1) : [...path.slice(0, -1), meant];
}

/** The line of the key, or of the nearest key above it that the file has. */
function lineOf(
  path: readonly PropertyKey[],
  document: Document.Parsed,
  lines: LineCounter,
): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const key = path[length - 1];
    const above = length === 1 ? document.contents : document.getIn(path.slice(0, length - 1), true);
    const items = isObject(above) && Array.isArray(above.items) ? (above.items as unknown[]) : [];
    const item =
      typeof key === 'number' ? items[key] : items.find((pair) => isPair(pair) && keyText(pair.key) === key);
    const node = isPair(item) ? item.key : item;
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return undefined;
}

function keyText(key: unknown): unknown {
  return isScalar(key) ? String(key.value) : key;
}
