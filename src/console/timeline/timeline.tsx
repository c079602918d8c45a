// The timeline: every message with a chip per agent, live, with the filters of the address.
import { type ReactNode, useRef } from 'react';
import { useFilters } from '../route.ts';
import { useKeys } from '../shell/use-keys.ts';
import { ICONS } from '../ui/icons.tsx';
import { Empty, ErrorNote, Waiting } from '../ui/note.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type Filters, FILTERS, isFiltered } from './filters.ts';
import { LogList } from './list.tsx';
import './timeline.css';
import { useLog } from './use-log.ts';

export function Timeline(): ReactNode {
  const [filters, change] = useFilters(FILTERS);
  const words = useRef<HTMLInputElement>(null);
  const view = useRef<HTMLElement>(null);
  useKeys({
    '/': () => words.current?.focus(),
    j: () => view.current?.querySelector<HTMLElement>('[role=grid]')?.focus(),
    k: () => view.current?.querySelector<HTMLElement>('[role=grid]')?.focus(),
  });
  return (
    <section className="view" ref={view} aria-labelledby="timeline-title">
      <header className="view-head">
        <h1 id="timeline-title">Timeline</h1>
        <p>Every message, and what was decided about it for every agent</p>
        <div className="keys-hint push">
          <span>
            <kbd>j</kbd> <kbd>k</kbd> move
          </span>
          <span>
            <kbd>Enter</kbd> why
          </span>
          <span>
            <kbd>/</kbd> filter
          </span>
        </div>
      </header>
      <FilterBar filters={filters} change={change} words={words} />
      <TimelineRows filters={filters} none={isFiltered(filters) ? <NothingFound /> : <NothingYet />} />
    </section>
  );
}

interface TimelineRowsProps {
  filters: Filters;
  /** Shown when there are no rows. */
  none: ReactNode;
}

/** The rows without the filters. The home view uses them too. */
export function TimelineRows({ filters, none }: TimelineRowsProps): ReactNode {
  const log = useLog(filters);
  const { kind, count, error, older } = log.state;
  if (kind === 'opening') {
    return error === undefined ? (
      <Waiting what="the log" />
    ) : (
      <ErrorNote error={error} again={() => void log.open()} />
    );
  }
  return (
    <>
      {error !== undefined && <ErrorNote error={error} again={() => void log.catchUp()} />}
      {count > 0 && <LogList log={log} />}
      {count === 0 && older && <Waiting what="further back" />}
      {count === 0 && !older && none}
    </>
  );
}

function NothingFound(): ReactNode {
  return (
    <Empty title="Nothing matches">
      <p>No message in the log fits these filters. Take one away to see more.</p>
    </Empty>
  );
}

export function NothingYet(): ReactNode {
  return (
    <Empty
      title="Nothing has been said yet"
      icon={ICONS.timeline}
      command='npx earshot say "@lead are you there?"'
    >
      <p>
        Every message stands here with what was decided about it for every agent: who must answer, who stays
        quiet, and why. Write something in the chat, or paste this into a terminal:
      </p>
    </Empty>
  );
}
