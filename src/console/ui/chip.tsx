// One decision as a chip, in plain words, in the four colours: green engage, dim observe, red denied, magenta claim. The
// protocol's words are in its title.
import { Fragment, type ReactNode } from 'react';
import {
  decisionPhrase,
  type PhrasedDecision,
  protocolPhrase,
  reasonPhrase,
} from '../../attention/decision-phrase.ts';
import type { InboundDecision } from '../../protocol/vocabulary.ts';

export type ChipDecision = PhrasedDecision;

/** The text of a chip after the agent's name. */
export function chipWords(decision: ChipDecision, all: readonly ChipDecision[] = [], short = false): string {
  return short ? reasonPhrase(decision, all) : decisionPhrase(decision, all);
}

interface DecisionChipProps {
  decision: ChipDecision;
  /** The decisions about the same message, which tell for whom it was meant. */
  all?: readonly ChipDecision[];
  onOpen?: (() => void) | undefined;
  pressed?: boolean;
  /** A row of a list is one stop of the tab key. Its chips are reached with the arrow keys and Enter. */
  inList?: boolean;
  /** Shows only the reason. The rest is in its title. */
  short?: boolean;
}

export function DecisionChip(props: DecisionChipProps): ReactNode {
  const { decision, all = [], onOpen, pressed, inList, short } = props;
  const inside = (
    <>
      <b>{decision.agent}</b>
      <span>{chipWords(decision, all, short)}</span>
    </>
  );
  if (onOpen === undefined) {
    return (
      <span className="chip" data-kind={decision.decision} title={protocolPhrase(decision)}>
        {inside}
      </span>
    );
  }
  return (
    <button
      type="button"
      className="chip"
      data-kind={decision.decision}
      aria-pressed={pressed}
      title={`${decision.decision}: ${protocolPhrase(decision)}. Why?`}
      tabIndex={inList === true ? -1 : undefined}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
    >
      {inside}
    </button>
  );
}

interface ComparedProps {
  before: ChipDecision | null;
  after: ChipDecision | null;
  /** What differs besides, in words. */
  changed?: readonly string[];
}

/** Two decisions about one message. Where the plain words are the same, it stands there once, with what differs. */
export function ComparedChips({ before, after, changed = [] }: ComparedProps): ReactNode {
  const same = before !== null && after !== null && decisionPhrase(before) === decisionPhrase(after);
  if (same && changed.length > 0) {
    return (
      <>
        <DecisionChip decision={after} />
        <span>{changed.join(', ')}</span>
      </>
    );
  }
  return [before, after].map((decision, index) => (
    <Fragment key={index === 0 ? 'before' : 'after'}>
      {index === 1 && <span aria-label="becomes">→</span>}
      {decision === null ? (
        <span className="dim">not asked</span>
      ) : (
        <span className="chip" data-kind={decision.decision} title={protocolPhrase(decision)}>
          <b>{decision.agent}</b>
          <span>{same ? protocolPhrase(decision) : decisionPhrase(decision)}</span>
        </span>
      )}
    </Fragment>
  ));
}

export function Chip({
  kind,
  children,
}: {
  kind?: InboundDecision | 'warn';
  children: ReactNode;
}): ReactNode {
  return (
    <span className="chip" data-kind={kind ?? 'observe'}>
      <span>{children}</span>
    </span>
  );
}
