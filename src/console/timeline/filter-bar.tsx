// The timeline's filters: words, agent, conversation, decision, policy, reason, kind of record, time. "/" goes to the words.
import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import type { AgentsPage, ConversationsPage } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/field.tsx';
import { CHOICES, type Filters, FILTERS, isFiltered } from './filters.ts';
import { PeriodField } from './period-field.tsx';
import { placeText } from './words.ts';

interface FilterBarProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
  words: RefObject<HTMLInputElement | null>;
}

/** The page waits this long after the last letter before it asks. */
const TYPING_MS = 250;
const NOTHING = Object.fromEntries(FILTERS.map((name) => [name, ''])) as Filters;

export function FilterBar({ filters, change, words }: FilterBarProps): ReactNode {
  const agents = useAsked<AgentsPage>('/v1/agents', { limit: 200 }).answer?.agents ?? [];
  const conversations =
    useAsked<ConversationsPage>('/v1/conversations', { limit: 200 }).answer?.conversations ?? [];
  const [typed, setTyped] = useState(filters.text);
  useEffect(() => setTyped(filters.text), [filters.text]);
  useEffect(() => {
    if (typed === filters.text) return undefined;
    const timer = setTimeout(() => change({ text: typed }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, filters.text, change]);
  const places = conversations.map((one) => ({ value: one.key, title: placeText(one) }));
  return (
    <search className="filters">
      <label className="field">
        <span className="hidden">Text</span>
        <input
          ref={words}
          className="input"
          type="search"
          placeholder="Filter by text   /"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      <Select
        hideLabel
        label="Agent"
        none="any agent"
        value={filters.agent}
        options={agents.map(({ id }) => id)}
        onChange={(agent) => change({ agent })}
      />
      <Select
        hideLabel
        label="Conversation"
        none="anywhere"
        value={filters.conversation}
        options={places}
        onChange={(conversation) => change({ conversation })}
      />
      <Select
        hideLabel
        label="Decision"
        none="any decision"
        value={filters.decision}
        options={CHOICES.decision}
        onChange={(decision) => change({ decision })}
      />
      <Select
        hideLabel
        label="Policy"
        none="any policy"
        value={filters.policy}
        options={CHOICES.policy}
        onChange={(policy) => change({ policy })}
      />
      <Select
        hideLabel
        label="Reason"
        none="any reason"
        value={filters.reason}
        options={CHOICES.reason}
        onChange={(reason) => change({ reason })}
      />
      <Select
        hideLabel
        label="Kind"
        none="anything"
        value={filters.type}
        options={CHOICES.type}
        onChange={(type) => change({ type })}
      />
      <PeriodField from={filters.from} to={filters.to} change={change} />
      {isFiltered(filters) && (
        <Button tone="quiet" onClick={() => change(NOTHING)}>
          Clear
        </Button>
      )}
    </search>
  );
}
