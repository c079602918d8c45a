// The shape of one required behaviour and the builder that keeps the tables short: level and area are said once per
// group. Levels: the text's own keyword; a command without one ("never", "do not") is MUST, "prefer" and "should" are
// SHOULD, "can" is MAY, a row of a table or an item of a closed list is TABLE.

export const AREAS = [
  'protocol',
  'attention',
  'compose',
  'replay',
  'host',
  'store',
  'transport',
  'tools',
  'agent',
  'surfaces',
  'security',
  'console',
] as const;
export type Area = (typeof AREAS)[number];

export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'TABLE';

/**
 * How a row is shown. `wire`: through a real transport against the running host. `fold`: by the pure engine alone, for
 * what only it promises (purity, tables). `shape`: by schemas and word lists.
 */
export const SHOWN = ['wire', 'fold', 'shape'] as const;
export type Shown = (typeof SHOWN)[number];

export interface Requirement {
  /** Stable and readable: `SOURCE/section/behaviour`. Tests cite it, so it is never renamed lightly. */
  id: string;
  /** The behaviour in our own words, one that a test can check. */
  text: string;
  level: Level;
  /** `file#Heading` of the texts in spec/. */
  source: string;
  /** Whose code meets it, and so who owes the test. */
  area: Area;
  /** What kind of test shows it. Every MUST and SHOULD about behaviour is shown on the wire. */
  shown: Shown;
}

export type Rows = (
  heading: string,
  section: string,
  level: Level,
  area: Area,
  shown: Shown,
  texts: Readonly<Record<string, string>>,
) => Requirement[];

/** Starts the table of one text: `rows('Default Matrix', 'matrix', 'TABLE', 'attention', 'fold', { dm: '…' })`. */
export function tableOf(prefix: string, file: string): Rows {
  return (heading, section, level, area, shown, texts) =>
    Object.entries(texts).map(([slug, text]) => ({
      id: `${prefix}/${section}/${slug}`,
      text,
      level,
      source: `${file}#${heading}`,
      area,
      shown,
    }));
}
