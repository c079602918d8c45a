// The dial of an agent in one conversation, in the settings. The first rule that fits a conversation counts, so a new rule
// stands before it and says the same about everything else.
import { matches, type PatternPlace, patternOf } from './pattern.ts';
import type { AttentionSettings } from './settings.ts';

export type PlaceRule = AttentionSettings['conversations'][number];
type Attention = Exclude<PlaceRule['attention'], Readonly<Record<string, unknown>> | undefined>;
type Rules = Pick<AttentionSettings, 'conversations'> & {
  agents: readonly { id: string; attention?: unknown }[];
};

/** The rule that says it, and whether it is put before the rule at that place or stands there already. */
export interface PlacedRule {
  at: number;
  isNew: boolean;
  rule: PlaceRule;
}

export function dialRule(settings: Rules, place: PatternPlace, agent: string, dial: Attention): PlacedRule {
  const { conversations } = settings;
  const first = conversations.findIndex(({ match }) => matches(match, place));
  const found = conversations[first];
  const match = patternOf(place);
  const attention = { ...byAgent(settings, found?.attention), [agent]: dial };
  return {
    at: first === -1 ? conversations.length : first,
    isNew: found?.match !== match,
    rule: { ...found, match, attention },
  };
}

/** One word for all that do not set their own becomes a word for each of them. */
function byAgent({ agents }: Rules, attention: PlaceRule['attention']): Record<string, Attention> {
  if (typeof attention === 'object') return { ...attention };
  if (attention === undefined) return {};
  return Object.fromEntries(
    agents.filter((agent) => agent.attention === undefined).map(({ id }) => [id, attention]),
  );
}

/** Whether a rule without these words would say the same as the rules behind it. Then nothing needs it. */
export function isNeedless(conversations: readonly PlaceRule[], at: number, place: PatternPlace): boolean {
  const { match: _, ...own } = conversations[at] ?? { match: '' };
  const { match: __, ...next } = conversations.slice(at + 1).find(({ match }) => matches(match, place)) ?? {
    match: '',
  };
  return sameWords(own, next);
}

function sameWords(a: object, b: object): boolean {
  return sortedWords(a) === sortedWords(b);
}

function sortedWords(rule: object): string {
  const said = Object.entries(rule).filter(([, value]) => value !== undefined);
  return JSON.stringify(said.toSorted(([x], [y]) => (x < y ? -1 : 1)));
}
