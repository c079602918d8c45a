// docs/reference/surfaces.md: what each surface hears and does, from the capabilities that the host itself goes by.
import { capabilitiesOf as github } from '../../src/surfaces/github/github.ts';
import { sourceSurface } from '../../src/surfaces/source/source.ts';
import { CAPABILITIES as SLACK } from '../../src/surfaces/slack/slack.ts';
import type { Does, Hears, SurfaceCapabilities } from '../../src/surfaces/surface.ts';
import { CAPABILITIES as WEB } from '../../src/surfaces/web/web.ts';
import { GENERATED, table } from './markdown.ts';

const SOURCE_CHARS = 40_000;

/** In the order of the table. */
const SURFACES: Readonly<Record<string, SurfaceCapabilities>> = {
  '[web chat](../surfaces/web.md)': WEB,
  '[Slack](../surfaces/slack.md)': SLACK,
  '[GitHub](../surfaces/github.md), with webhooks': github({ webhook: true }),
  '[your own source](../surfaces/source.md)': sourceSurface({
    id: 'source',
    platform: 'source',
    maxChars: SOURCE_CHARS,
    tell: () => Promise.resolve(),
  }).capabilities,
};

/** Complete by type: a new capability does not compile without words here. */
const HEARS_WORDS: Readonly<Record<keyof Hears, string>> = {
  edits: 'that somebody edited a message',
  deletes: 'that somebody deleted one',
  reactions: 'reactions',
  typing: 'that somebody is typing',
  bots: 'other bots',
};
const DOES_WORDS: Readonly<Record<keyof Does, string>> = {
  edits: 'edits its own messages',
  deletes: 'deletes its own messages',
  reactions: 'reacts',
  typing: 'shows that an agent is working',
  ephemeral: 'tells one person alone',
  questions: 'asks with buttons',
  files: 'sends files',
};
const THREADS: Readonly<Record<SurfaceCapabilities['threads'], string>> = {
  any: 'on any message',
  topics: 'where people made one',
  flat: 'none',
};

export function surfacesPage(): string {
  const all = Object.values(SURFACES);
  const row = (words: string, cell: (one: SurfaceCapabilities) => string): string[] => [
    words,
    ...all.map(cell),
  ];
  const flags = <Flag extends string>(
    words: Readonly<Record<Flag, string>>,
    has: (one: SurfaceCapabilities, flag: Flag) => boolean,
  ): string[][] =>
    (Object.keys(words) as Flag[]).map((flag) => row(words[flag], (one) => (has(one, flag) ? 'yes' : 'no')));
  const head = (first: string): string[] => [first, ...Object.keys(SURFACES)];
  const hears = flags(HEARS_WORDS, ({ hears: heard }, flag) => heard[flag]);
  const does = flags(DOES_WORDS, ({ does: done }, flag) => done[flag]);
  const rest = [
    row('threads', ({ threads }) => THREADS[threads]),
    row('knows who is in a room', ({ membership }) => (membership ? 'yes' : 'no')),
    row('characters a message', ({ maxChars }) => maxChars.toLocaleString('en')),
    row('parts of a longer text', ({ maxParts }) => (maxParts === 1 ? 'refused' : `up to ${maxParts}`)),
    row('the same post again', afterARepeat),
  ];
  return `${GENERATED}
# What each surface hears and does

Earshot does without whatever a platform does not have. What a surface does not hear wakes nobody; what it cannot do is
left out, or said in words. A source may be given other limits in its [settings](configuration.md#hostsources).

## Hears

${table(head('from people'), hears)}
## Does

${table(head('for agents'), does)}
## Limits

${table(head(''), rest)}
A post whose answer was lost is looked for before it is posted again, unless the platform itself shows the same post once.
`;
}

function afterARepeat({ idempotentForMs, findable }: SurfaceCapabilities): string {
  if (idempotentForMs === Infinity) return 'is shown once';
  if (idempotentForMs > 0) return `is shown once within ${idempotentForMs / 60_000} min`;
  return findable ? 'is looked for first' : 'is never sent';
}
