// One record of the timeline: author, place, time, text, and a chip per agent. All rows have the same height.
import { memo, type ReactNode } from 'react';
import type { LogEntry } from '../../protocol/operator-api.ts';
import { Face } from '../ui/face.tsx';
import { DecisionChip } from '../ui/chip.tsx';
import { Clock } from '../ui/time.tsx';
import { openWhy } from '../why/use-why.ts';
import { fitChips } from './fit-chips.ts';
import { lineOf, placeText } from './words.ts';

interface RowProps {
  entry: LogEntry;
  /** The day that begins with this row. */
  day: string | undefined;
  /** The agent whose chip is being explained, or '' for the message as a whole. */
  explained: string | undefined;
  chipsWidth: number;
}

export const TimelineRow = memo(function TimelineRow(props: RowProps): ReactNode {
  const { entry, day, explained, chipsWidth } = props;
  const { author, decisions, eventId, type } = entry;
  const { shown, more } = fitChips(decisions, chipsWidth);
  return (
    <>
      {day !== undefined && <span className="entry-day">{day}</span>}
      <div className="entry-line" role="gridcell">
        <span className="entry-time">
          <Clock at={entry.at} />
        </span>
        <span className="entry-author" data-author={author.kind}>
          <Face author={{ ...author, name: author.displayName ?? author.id }} size="small" />
          {author.displayName ?? author.id}
        </span>
        <span className="entry-text" data-type={type}>
          {lineOf(entry)}
        </span>
        <span className="entry-place">{placeText(entry)}</span>
      </div>
      <div className="entry-chips" role="gridcell">
        {shown.map(({ decision, short }) => (
          <DecisionChip
            key={decision.agent}
            decision={decision}
            all={decisions}
            inList
            short={short}
            pressed={explained === decision.agent}
            onOpen={() => openWhy(eventId, decision.agent)}
          />
        ))}
        {more > 0 && (
          <button type="button" className="chip" tabIndex={-1} onClick={() => openWhy(eventId)}>
            +{more} more
          </button>
        )}
        {decisions.length === 0 && type === 'message' && <span className="dim small">nobody was asked</span>}
      </div>
    </>
  );
});
