// What a change of the settings changes, in sentences that a person can check before they agree. Secrets are never in
// them: of a webhook only its agent is named.
import { isDeepStrictEqual } from 'node:util';
import type { AttentionSettings } from '../../attention/index.ts';
import type { HostSettings } from './settings.ts';

export interface Described {
  attention: AttentionSettings;
  /** Left out where only attention is compared. */
  settings?: HostSettings | undefined;
}

/** More are only counted. */
export const WORDS_MAX = 50;
const VALUE_CHARS = 120;

export function settingsWords(before: Described, after: Described): string[] {
  const words = [
    ...agentWords(before.attention.agents, after.attention.agents),
    ...conversationWords(before.attention.conversations, after.attention.conversations),
    ...fieldWords('', restOf(before.attention), restOf(after.attention)),
    ...fieldWords('limits.', before.attention.limits, after.attention.limits),
    ...hostWords(before.settings, after.settings),
  ];
  if (words.length === 0) return ['nothing that decides anything'];
  const rest = words.length - WORDS_MAX;
  return rest <= 0 ? words : [...words.slice(0, WORDS_MAX), `and ${rest} more changes`];
}

type Agent = AttentionSettings['agents'][number];

function* agentWords(before: readonly Agent[], after: readonly Agent[]): Generator<string> {
  const [old, next] = [byId(before), byId(after)];
  for (const [id, agent] of next) {
    const was = old.get(id);
    if (was === undefined) yield `${id} is added${introduced(agent)}`;
    else yield* changedAgent(was, agent);
  }
  for (const id of old.keys()) if (!next.has(id)) yield `${id} is removed`;
}

function byId(agents: readonly Agent[]): Map<string, Agent> {
  return new Map(agents.map((agent) => [agent.id, agent]));
}

function introduced({ roles, lead }: Agent): string {
  const told = [
    ...(roles.length === 0 ? [] : [`${roles.length === 1 ? 'role' : 'roles'} ${roles.join(', ')}`]),
    ...(lead === undefined ? [] : [`lead ${lead}`]),
  ];
  return told.length === 0 ? '' : `, with ${told.join(' and ')}`;
}

function* changedAgent({ roles: had, ...before }: Agent, { roles, ...after }: Agent): Generator<string> {
  for (const role of roles) if (!had.includes(role)) yield `${after.id} gets role ${role}`;
  for (const role of had) if (!roles.includes(role)) yield `${after.id} loses role ${role}`;
  yield* fieldWords(`${after.id}: `, before, after);
}

type Rule = AttentionSettings['conversations'][number];

function* conversationWords(before: readonly Rule[], after: readonly Rule[]): Generator<string> {
  const old = Map.groupBy(before, ({ match }) => match);
  const next = Map.groupBy(after, ({ match }) => match);
  for (const [match, [rule]] of next) {
    const [was] = old.get(match) ?? [];
    if (was === undefined) yield `a rule for ${match} is added${saying(rule)}`;
    else if (rule !== undefined) yield* fieldWords(`${match}: `, was, rule);
  }
  for (const match of old.keys()) if (!next.has(match)) yield `the rule for ${match} is removed`;
  const order = (rules: readonly Rule[]): string[] => rules.map(({ match }) => match);
  const same = order(before).length === order(after).length && old.size === next.size;
  if (
    same &&
    !isDeepStrictEqual(order(before), order(after)) &&
    [...old.keys()].every((key) => next.has(key))
  )
    yield 'the rules for conversations are in another order';
}

/** What a new rule says. */
function saying(rule: Rule | undefined): string {
  const { match: _, ...said } = rule ?? { match: '' };
  const words = Object.entries(said).map(([key, value]) => `${key} ${shown(value)}`);
  return words.length === 0 ? '' : `: ${words.join(', ')}`;
}

function restOf({ preset, groups, owner }: AttentionSettings) {
  return { preset, groups, owner };
}

function* hostWords(before: HostSettings | undefined, after: HostSettings | undefined): Generator<string> {
  if (before === undefined || after === undefined) return;
  const { limits: limitsBefore, webhooks: had, sources: _, ...restBefore } = before;
  const { limits, webhooks, sources: __, ...rest } = after;
  yield* fieldWords('host.limits.', limitsBefore, limits);
  yield* fieldWords('host.', restBefore, rest);
  for (const webhook of webhooks) {
    const was = had.find(({ agent }) => agent === webhook.agent);
    if (was === undefined) yield `a webhook of ${webhook.agent} is added`;
    else if (!isDeepStrictEqual(was, webhook)) yield `the webhook of ${webhook.agent} is changed`;
  }
  for (const { agent } of had)
    if (!webhooks.some((one) => one.agent === agent)) yield `the webhook of ${agent} is removed`;
}

/** One sentence for each field that differs. */
function* fieldWords(prefix: string, before: object, after: object): Generator<string> {
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  for (const key of new Set([...Object.keys(old), ...Object.keys(next)])) {
    if (isDeepStrictEqual(old[key], next[key])) continue;
    yield `${prefix}${key} ${shown(old[key])} → ${shown(next[key])}`;
  }
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set';
  const text = typeof value === 'string' ? value : (mapWords(value) ?? JSON.stringify(value));
  return text.length > VALUE_CHARS ? `${text.slice(0, VALUE_CHARS)}…` : text;
}

/** A map of plain values, such as a dial for some agents: `lead: quiet, ops: 30`. */
function mapWords(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.length === 0 || entries.some(([, one]) => typeof one === 'object')) return undefined;
  return entries.map(([key, one]) => `${key}: ${one}`).join(', ');
}
