// The filters of the timeline. Their names are those of `GET /v1/log` and of the address.
import { DECISION_PHRASES, POLICY_PHRASES, REASON_PHRASES } from '../../attention/decision-phrase.ts';
import { INBOUND_DECISIONS, POLICIES, REASONS } from '../../protocol/vocabulary.ts';
import type { Query } from '../api/client.ts';

export const FILTERS = [
  'agent',
  'conversation',
  'decision',
  'policy',
  'reason',
  'type',
  'text',
  'from',
  'to',
] as const;
export type Filter = (typeof FILTERS)[number];
export type Filters = Record<Filter, string>;

export const CHOICES = {
  decision: INBOUND_DECISIONS.map((value) => ({ value, title: DECISION_PHRASES[value] })),
  policy: POLICIES.map((value) => ({ value, title: POLICY_PHRASES[value] })),
  reason: REASONS.map((value) => ({ value, title: REASON_PHRASES[value] })),
  type: [
    { value: 'message', title: 'messages only' },
    { value: 'message,edit,delete,reaction', title: 'messages, edits, reactions' },
    { value: 'mode,focus,disengage,claim,resolve', title: 'modes and claims' },
    { value: 'turn', title: 'turns' },
    { value: 'typing,tick,membership,progress', title: 'other signs' },
  ],
} as const;

export function filterQuery(filters: Filters): Query {
  return Object.fromEntries(FILTERS.flatMap((name) => (filters[name] === '' ? [] : [[name, filters[name]]])));
}

export function isFiltered(filters: Filters): boolean {
  return FILTERS.some((name) => filters[name] !== '');
}
