// The rules for conversations in the settings, and the one for all of them, which the form fills in.
import type { PlaceRule } from '../../attention/place-dial.ts';
import type { SettingsEdit } from '../../protocol/settings-api.ts';

export const EVERYWHERE = '*';

export function rulesOf(given: Readonly<Record<string, unknown>>): readonly PlaceRule[] {
  return (given as { conversations?: readonly PlaceRule[] }).conversations ?? [];
}

const ROOM_KEYS = ['defaultResponder', 'mode'] as const;
type RoomFields = Readonly<Record<(typeof ROOM_KEYS)[number], string>>;

/** The rule for all conversations. It is the last one, so that every other counts before it. */
export function roomEdits(
  rules: readonly PlaceRule[],
  before: RoomFields,
  after: RoomFields,
): SettingsEdit[] {
  const index = rules.findIndex(({ match }) => match === EVERYWHERE);
  const changed = ROOM_KEYS.filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return [];
  if (index === -1) {
    const own = Object.fromEntries(changed.map((key) => [key, after[key]]));
    return [{ op: 'add', path: ['conversations'], value: { match: EVERYWHERE, ...own } }];
  }
  return changed.map((key) => setOrRemove(['conversations', index, key], after[key] || undefined));
}

/** The rules with those changes: what is said about one conversation is added to them. */
export function rulesAfter(
  rules: readonly PlaceRule[],
  before: RoomFields,
  after: RoomFields,
): readonly PlaceRule[] {
  const changed = ROOM_KEYS.filter((key) => before[key] !== after[key]);
  if (changed.length === 0) return rules;
  const own = Object.fromEntries(changed.map((key) => [key, after[key] || undefined]));
  const index = rules.findIndex(({ match }) => match === EVERYWHERE);
  if (index === -1) return [...rules, { match: EVERYWHERE, ...own }];
  return rules.map((rule, at) => (at === index ? { ...rule, ...own } : rule));
}

export function setOrRemove(path: (string | number)[], value: unknown): SettingsEdit {
  return value === undefined ? { op: 'remove', path } : { op: 'set', path, value };
}
