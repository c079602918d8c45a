// The list of people and agents that match what follows the @. The field's arrow keys move in it.
import type { ReactNode } from 'react';
import type { Candidate } from './completion.ts';

interface CompletionListProps {
  id: string;
  candidates: readonly Candidate[];
  chosen: number;
  choose: (index: number) => void;
}

export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

export function CompletionList({ id, candidates, chosen, choose }: CompletionListProps): ReactNode {
  return (
    <ul id={id} className="completion" role="listbox" aria-label="Mention somebody">
      {candidates.map(({ kind, handle, name, detail, connected }, index) => (
        <li
          key={`${kind}:${handle}`}
          id={optionId(id, index)}
          role="option"
          aria-selected={index === chosen}
          // The field keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            choose(index);
          }}
        >
          <b>@{handle}</b>
          {name.toLowerCase() !== handle.toLowerCase() && <span>{name}</span>}
          <span className="dim">{connected === false ? `${detail}, not connected` : detail}</span>
        </li>
      ))}
    </ul>
  );
}
