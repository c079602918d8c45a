// docs/reference/configuration.md: every key of earshot.yaml, from the schemas that read it.
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { configText } from '../../src/cli/init-file.ts';
import { TABLE_BOUNDS } from '../../src/host/due/table-bounds.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { githubSettingsSchema } from '../../src/surfaces/github/settings.ts';
import { slackSettingsSchema } from '../../src/surfaces/slack/settings.ts';
import { type Field, fieldsOf } from './fields.ts';
import { code, GENERATED, table } from './markdown.ts';

/** Every key of the file, top to bottom. */
export function configurationFields(): Field[] {
  const host = fieldsOf(hostSettingsSchema).map((field) => ({ ...field, path: `host.${field.path}` }));
  const surfaces = Object.entries(PLATFORMS).flatMap(([type, schema]) =>
    fieldsOf(schema).map((field) => ({ ...field, path: `surfaces[${type}].${field.path}` })),
  );
  return [...fieldsOf(attentionSettingsSchema), ...host, ...surfaces].map((field) => ({
    ...field,
    what: field.what === '' ? (ELSEWHERE[field.path] ?? '') : field.what,
  }));
}

/** An entry of `surfaces` is one of these, by its type. */
const PLATFORMS = { slack: slackSettingsSchema, github: githubSettingsSchema };

/** Words for schemas that are shared with other code and have no description of their own. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'host.sensitive[].reason': 'Shown to the person who is asked.',
  'host.sensitive[].words': 'Any of these in the text, whatever the case.',
  'host.sensitive[].pattern':
    'A regular expression. `*` and `+` reach 32 characters; write `.{0,200}` for further.',
  'host.sensitive[].visibility': 'Only sends that are shown so.',
  'host.sensitive[].elsewhere': 'True: only sends to another conversation than the one they answer.',
  'host.sensitive[].agents': 'Only sends of these agents.',
  'host.sensitive[].conversations': 'Only sends to these conversations, by id.',
};

export function configurationPage(): string {
  const sections = sectionsOf(configurationFields());
  return `${GENERATED}
# Configuration

\`earshot.yaml\`: what is about attention at the top level, what is about the host itself under \`host\`. Every key has a
default except those marked required. A wrong key is told with its line, what was expected and what to write instead;
\`earshot doctor\` checks a file, \`earshot init\` writes one. Times are milliseconds, counts are messages, turns or calls.

A **pattern** is \`platform/workspace/conversation\`, each part literal or \`*\`; a conversation's id alone means it anywhere,
\`*\` alone means everywhere. A thread is covered by its room's pattern. An **identity** is \`human:ID\`, \`agent:ID\`,
\`role:NAME\`, or \`*\` for everybody.

## A file

As \`earshot init --yes\` writes it. Where \`#\` stands right before a key, take it away to have the option.

\`\`\`yaml
${configText({ agents: ['lead', 'builder'], lead: 'lead', run: 'demo', source: undefined })}\`\`\`

${sections.map(sectionText).join('\n')}
## What is kept, and how long

What bounds each table of the store (\`host.limits\`). With \`retentionMs: 0\` nothing is removed for its age but prompts.

${boundsTable()}`;
}

function boundsTable(): string {
  const rows = Object.entries(TABLE_BOUNDS).map(([name, { words }]) => [`\`${name}\``, words]);
  return table(['table', 'bound'], rows);
}

interface Section {
  path: string;
  what: string;
  fields: Field[];
}

/** A group becomes a section, and its fields become the rows. */
function sectionsOf(fields: readonly Field[]): Section[] {
  const groups = fields.filter(({ group }) => group);
  const paths = [
    '',
    ...groups.map(({ path, type }) => (type.startsWith('list') ? `${path}[].` : `${path}.`)),
    'host.',
    ...Object.keys(PLATFORMS).map((type) => `surfaces[${type}].`),
  ];
  return [...new Set(paths)]
    .map((path) => ({
      path,
      what: groups.find((group) => path.replace(/(\[\])?\.$/, '') === group.path)?.what ?? '',
      fields: fields.filter((field) => field.path.startsWith(path) && isOwn(field.path.slice(path.length))),
    }))
    .toSorted((a, b) => order(a.path) - order(b.path));
}

const isOwn = (rest: string): boolean => /^\w+$/.test(rest);

/** The host's keys come after all attention keys. Otherwise the order is that of the schemas. */
function order(path: string): number {
  if (path.startsWith('surfaces')) return 3;
  return path.startsWith('host.') ? (path === 'host.' ? 1 : 2) : 0;
}

/** Sections that are no group of a schema. */
const SURFACES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(PLATFORMS).map((type) => [
    `surfaces[${type}].`,
    `An entry of \`surfaces\` with \`type: ${type}\`.`,
  ]),
);

function sectionText({ path, what, fields }: Section): string {
  const title = path === '' ? 'Top level' : code(path.replace(/\.$/, ''));
  const rows = fields.map((field) => [
    code(field.path.slice(path.length)),
    field.type,
    field.required ? 'required' : defaultOf(field),
    field.limit,
    field.what,
  ]);
  const words = SURFACES[path] ?? what;
  const intro = words === '' ? '' : `${words}\n\n`;
  return `## ${title}\n\n${intro}${table(['key', 'type', 'default', 'limit', 'what'], rows)}`;
}

function defaultOf({ path, default: value, group, type }: Field): string {
  if (group && !type.startsWith('list')) return 'see below';
  if (value === undefined) return 'none';
  const text = code(typeof value === 'string' ? value : JSON.stringify(value));
  return typeof value === 'number' && path.endsWith('Ms') ? `${text}${duration(value)}` : text;
}

const UNITS: readonly [ms: number, name: string][] = [
  [24 * 3_600_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

function duration(ms: number): string {
  const unit = UNITS.find(([size]) => ms >= size && ms % size === 0);
  return unit === undefined ? '' : ` (${ms / unit[0]} ${unit[1]})`;
}
