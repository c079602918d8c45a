// What the form shows of the settings, and the changes of the file that an edited form means.
import type { SettingsEdit } from '../../protocol/settings-api.ts';
import { EVERYWHERE, roomEdits, rulesAfter, rulesOf, setOrRemove } from './room-rules.ts';
import { type RoomDial, roomDialEdits, roomDialsOf } from './room-dials.ts';

export interface AgentFields {
  id: string;
  name: string;
  aliases: string;
  roles: string;
  lead: string;
  attention: string;
  respondTo: string;
  turnsPerDay: string;
  usdPerDay: string;
  isRemoved: boolean;
}

export interface FormFields {
  agents: readonly AgentFields[];
  dials: readonly RoomDial[];
  defaultResponder: string;
  mode: string;
  composeMs: string;
}

/** The parsed settings, as far as the form reads them. */
interface Attention {
  agents?: readonly {
    id: string;
    name?: string;
    aliases?: readonly string[];
    roles?: readonly string[];
    lead?: string;
    attention?: string | number;
    respondTo?: readonly string[];
    budget?: { turnsPerDay?: number; usdPerDay?: number };
  }[];
  limits?: { composeMs?: number };
}

export function fieldsOf(given: Readonly<Record<string, unknown>>): FormFields {
  const { agents = [], limits } = given as Attention;
  const conversations = rulesOf(given);
  const everywhere = conversations.find(({ match }) => match === EVERYWHERE);
  return {
    agents: agents.map(
      ({ id, name = '', aliases = [], roles = [], lead = '', attention = '', respondTo = [], budget }) => ({
        id,
        name,
        aliases: aliases.join(', '),
        roles: roles.join(', '),
        lead,
        attention: String(attention),
        respondTo: respondTo.join(', '),
        turnsPerDay: numberText(budget?.turnsPerDay),
        usdPerDay: numberText(budget?.usdPerDay),
        isRemoved: false,
      }),
    ),
    dials: roomDialsOf(conversations),
    defaultResponder: everywhere?.defaultResponder ?? '',
    mode: everywhere?.mode ?? '',
    composeMs: numberText(limits?.composeMs),
  };
}

function numberText(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** Words as people list them: by commas. */
export function wordsIn(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Only what was changed, so that defaults are not written down. */
export function editsFor(
  given: Readonly<Record<string, unknown>>,
  before: FormFields,
  after: FormFields,
): SettingsEdit[] {
  const edits: SettingsEdit[] = [];
  for (const [index, agent] of after.agents.entries()) {
    const was = before.agents[index];
    if (was !== undefined && !agent.isRemoved) edits.push(...agentEdits(index, was, agent));
  }
  edits.push(...roomEdits(rulesOf(given), before, after));
  const staying = after.agents.filter(({ isRemoved }) => !isRemoved);
  edits.push(...roomDialEdits(rulesAfter(rulesOf(given), before, after), staying, before.dials, after.dials));
  if (after.composeMs !== before.composeMs)
    edits.push(setOrRemove(['limits', 'composeMs'], numberIn(after.composeMs)));
  // From the end, so that the places of the others stay.
  for (const [index, { isRemoved }] of [...after.agents.entries()].toReversed())
    if (isRemoved) edits.push({ op: 'remove', path: ['agents', index] });
  return edits;
}

function agentEdits(index: number, was: AgentFields, now: AgentFields): SettingsEdit[] {
  const at = (...keys: string[]): (string | number)[] => ['agents', index, ...keys];
  const edits: SettingsEdit[] = [];
  for (const key of ['name', 'lead'] as const)
    if (was[key] !== now[key]) edits.push(setOrRemove(at(key), now[key].trim() || undefined));
  for (const key of ['aliases', 'roles', 'respondTo'] as const) {
    const words = wordsIn(now[key]);
    if (was[key] !== now[key]) edits.push(setOrRemove(at(key), words.length === 0 ? undefined : words));
  }
  if (was.attention !== now.attention) edits.push(setOrRemove(at('attention'), numberIn(now.attention)));
  for (const key of ['turnsPerDay', 'usdPerDay'] as const)
    if (was[key] !== now[key]) edits.push(setOrRemove(at('budget', key), numberIn(now[key])));
  return edits;
}

/** What is no number goes to the host as it is, which says what it expects. */
function numberIn(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}
