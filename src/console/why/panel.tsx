// Why a message woke an agent or not: first in words, then the facts, what has happened since, and what other settings
// would have decided.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WhyAgent, WhyAnswer } from '../../protocol/operator-api.ts';
import { useAsked } from '../api/use-asked.ts';
import { placeText } from '../timeline/words.ts';
import { Button } from '../ui/button.tsx';
import { Face } from '../ui/face.tsx';
import { Empty, ErrorNote, Waiting } from '../ui/note.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Time } from '../ui/time.tsx';
import { Correct } from './correct.tsx';
import { DecisionTold } from './told.tsx';
import './why.css';
import { TurnsTaken } from './turns.tsx';
import { WhatIf } from './what-if.tsx';

interface WhyPanelProps {
  eventId: string;
  agent: string | undefined;
  close: () => void;
}

export function WhyPanel({ eventId, agent, close }: WhyPanelProps): ReactNode {
  const { answer, error, waiting, again } = useAsked<WhyAnswer>(
    `/v1/why/${encodeURIComponent(eventId)}`,
    {},
    ['settled', 'deliver', 'withdraw', 'turn_failed'],
  );
  const heading = useRef<HTMLHeadingElement>(null);
  // Moves a screen reader to the panel when it opens, and back when it closes.
  useEffect(() => {
    const before = document.activeElement;
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside className="panel fade-in" aria-labelledby="why-title">
      <header className="panel-head">
        <h2 id="why-title" ref={heading} tabIndex={-1}>
          Why?
        </h2>
        <Button
          tone="quiet"
          className="button push"
          onClick={close}
          aria-label="Close (Esc)"
          title="Close (Esc)"
        >
          ✕
        </Button>
      </header>
      <div className="panel-body stack">
        {waiting && <Waiting what="why" />}
        {error !== undefined && <ErrorNote error={error} again={again} />}
        {answer !== undefined && <Answer answer={answer} first={agent} again={again} />}
      </div>
    </aside>
  );
}

interface AnswerProps {
  answer: WhyAnswer;
  first: string | undefined;
  again: () => void;
}

function Answer({ answer, first, again }: AnswerProps): ReactNode {
  const { event, agents, note } = answer;
  const [chosen, setChosen] = useState<string>();
  useEffect(() => setChosen(undefined), [first]);
  const agent = chosen ?? first ?? mostTelling(agents)?.agent;
  const told = agents.find((one) => one.agent === agent);
  return (
    <>
      <blockquote className="said">
        <p>
          <b>{event.author.displayName ?? event.author.id}</b> <span className="dim">{placeText(event)}</span>{' '}
          <span className="dim small">
            <Time at={event.at} />
          </span>
        </p>
        <p className="said-text">{event.text ?? `(${event.type})`}</p>
      </blockquote>
      {note !== undefined && <p className="note">{note}</p>}
      {agents.length > 1 && (
        <Tabs
          label="Agents"
          chosen={agent ?? ''}
          choose={setChosen}
          tabs={agents.map((one) => ({
            id: one.agent,
            title: (
              <>
                <Face author={{ id: one.agent, kind: 'agent', name: one.agent }} size="small" />
                <span className="kind-dot" data-kind={one.decision?.decision ?? 'none'} /> {one.agent}
              </>
            ),
          }))}
        />
      )}
      {told === undefined && agents.length > 0 && (
        <Empty title={`${agent ?? 'This agent'} is not known here`} />
      )}
      {told !== undefined && <DecisionTold key={told.agent} told={told} event={event} />}
      {told?.decision !== undefined && event.type === 'message' && (
        <Correct key={`correct-${told.agent}`} told={told} eventId={event.eventId} said={again} />
      )}
      {told?.decision !== undefined && (
        <TurnsTaken
          key={`turns-${told.agent}`}
          turns={told.turns}
          eventId={event.eventId}
          agent={told.agent}
        />
      )}
      {told?.decision !== undefined && (
        <WhatIf key={`if-${told.agent}`} eventId={event.eventId} agent={told.agent} />
      )}
    </>
  );
}

/** An agent that was woken, or else one with a decision, or else the first. */
function mostTelling(agents: readonly WhyAgent[]): WhyAgent | undefined {
  return (
    agents.find(({ decision }) => decision?.decision === 'engage') ??
    agents.find(({ decision }) => decision !== undefined) ??
    agents[0]
  );
}
