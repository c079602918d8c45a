// The dials of agents in single conversations, as the form shows them, and the changes of the file that an edit means.
import { matches, type PatternPlace, patternOf } from '../../attention/pattern.ts';
import { dialRule, isNeedless, type PlaceRule } from '../../attention/place-dial.ts';
import type { ShownConversation } from '../../protocol/operator-api.ts';
import type { SettingsEdit } from '../../protocol/settings-api.ts';
import { placeText } from '../timeline/words.ts';

export interface RoomDial {
  agent: string;
  /** As in the settings. */
  match: string;
  /** A notch or a number. Empty: nothing is said about this agent here. */
  value: string;
  /** For a conversation that was chosen in the form. */
  place?: PatternPlace;
}

interface Agent {
  id: string;
  attention?: string | undefined;
}

/** What the settings say about single agents. Of rules for the same conversations the first counts. */
export function roomDialsOf(conversations: readonly PlaceRule[]): RoomDial[] {
  const known = new Set<string>();
  return conversations.flatMap(({ match, attention }) => {
    if (known.has(match)) return [];
    known.add(match);
    if (typeof attention !== 'object') return [];
    return Object.entries(attention).map(([agent, value]) => ({ agent, match, value: String(value) }));
  });
}

/** What they say about every agent that does not set its own. */
export function wordsForAll(conversations: readonly PlaceRule[]): Pick<RoomDial, 'match' | 'value'>[] {
  return conversations.flatMap(({ match, attention }) =>
    attention === undefined || typeof attention === 'object' ? [] : [{ match, value: String(attention) }],
  );
}

export function roomDialEdits(
  conversations: readonly PlaceRule[],
  agents: readonly Agent[],
  before: readonly RoomDial[],
  after: readonly RoomDial[],
): SettingsEdit[] {
  const edits: SettingsEdit[] = [];
  let rules = conversations;
  for (const dial of after) {
    const was = before.find(({ agent, match }) => agent === dial.agent && match === dial.match)?.value ?? '';
    if (was === dial.value || !agents.some(({ id }) => id === dial.agent)) continue;
    const [next, edit] =
      dial.value === ''
        ? withoutDial(rules, dial)
        : was === ''
          ? placed(rules, agents, dial)
          : moved(rules, dial);
    rules = next;
    edits.push(...edit);
  }
  return edits;
}

type Step = readonly [rules: readonly PlaceRule[], edits: SettingsEdit[]];

function placed(conversations: readonly PlaceRule[], agents: readonly Agent[], dial: RoomDial): Step {
  const settings = {
    conversations: [...conversations],
    agents: agents.map(({ id, attention }) => ({ id, ...(attention ? { attention } : {}) })),
  };
  const { at, isNew, rule } = dialRule(settings, placeOf(dial), dial.agent, valueOf(dial));
  const edit: SettingsEdit = isNew
    ? { op: 'add', path: ['conversations'], value: rule, before: at }
    : { op: 'set', path: ['conversations', at, 'attention'], value: rule.attention };
  return [conversations.toSpliced(at, isNew ? 0 : 1, rule), [edit]];
}

function moved(conversations: readonly PlaceRule[], dial: RoomDial): Step {
  const at = conversations.findIndex(({ match }) => match === dial.match);
  return [
    conversations,
    [{ op: 'set', path: ['conversations', at, 'attention', dial.agent], value: valueOf(dial) }],
  ];
}

/** A rule that says nothing of its own any more goes as well. */
function withoutDial(conversations: readonly PlaceRule[], dial: RoomDial): Step {
  const at = conversations.findIndex(({ match }) => match === dial.match);
  const found = conversations[at];
  if (found === undefined || typeof found.attention !== 'object') return [conversations, []];
  const { [dial.agent]: _, ...others } = found.attention;
  const { attention: __, ...rest } = found;
  const rule = Object.keys(others).length === 0 ? rest : { ...rest, attention: others };
  const rules = conversations.toSpliced(at, 1, rule);
  if (isNeedless(rules, at, placeOf(dial)))
    return [conversations.toSpliced(at, 1), [{ op: 'remove', path: ['conversations', at] }]];
  return [rules, [{ op: 'remove', path: ['conversations', at, 'attention', dial.agent] }]];
}

function placeOf({ place, match }: RoomDial): PatternPlace {
  if (place !== undefined) return place;
  const [platform = '', workspaceId = '', ...id] = match.split('/');
  return { platform, workspaceId, conversation: { id: id.length === 0 ? match : id.join('/') } };
}

/** The host checks it, and says what it expects. */
function valueOf({ value }: RoomDial): number | 'quiet' {
  return (/^\d+$/.test(value.trim()) ? Number(value) : value.trim()) as number | 'quiet';
}

/** What people call the conversations of a pattern. */
export function matchText(match: string, titles: ReadonlyMap<string, string>): string {
  return match === '*' ? 'everywhere' : (titles.get(match) ?? match);
}

/** The name of each conversation, by its pattern. Two of the same name are told apart by where they are. */
export function roomTitles(conversations: readonly ShownConversation[]): ReadonlyMap<string, string> {
  const named = Map.groupBy(conversations, placeText);
  return new Map(
    conversations.map((one) => {
      const text = placeText(one);
      const isAlone = named.get(text)?.length === 1;
      return [patternOf(one), isAlone ? text : `${text} (${one.platform}/${one.workspaceId})`];
    }),
  );
}

/** The rule that counts instead, where another one comes first. */
export function rulesBefore(conversations: readonly PlaceRule[], match: string): string | undefined {
  if (match.includes('*')) return undefined;
  const first = conversations.find((rule) => matches(rule.match, placeOf({ agent: '', match, value: '' })));
  return first === undefined || first.match === match ? undefined : first.match;
}
