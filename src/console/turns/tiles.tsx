// The figures of a period, in large tiles.
import type { ReactNode } from 'react';
import type { Tally } from '../../protocol/operator-api.ts';

export function Tiles({ totals }: { totals: Tally }): ReactNode {
  const {
    turns,
    everythingTurns,
    savedEverything,
    mentionTurns,
    mentionMissed,
    mentionAdded,
    tokens,
    messages,
    answers,
  } = totals;
  const share = everythingTurns === 0 ? 0 : Math.round((100 * savedEverything) / everythingTurns);
  return (
    <dl className="tiles">
      <Tile
        name="Turns spent"
        value={turns}
        more={`${count(messages, 'message')}, ${count(answers, 'answer')}`}
      />
      <Tile
        name="Saved against answering everything"
        value={savedEverything}
        more={`${share} % of ${everythingTurns.toLocaleString()}`}
        good
      />
      <Tile
        name="A mention-only bot would have missed"
        value={mentionMissed}
        more={`it takes ${count(mentionTurns, 'turn')}, ${mentionAdded.toLocaleString()} of them needless`}
      />
      <Tile name="Tokens injected" value={tokens} more="an estimate, at four characters a token" />
    </dl>
  );
}

function Tile({
  name,
  value,
  more,
  good,
}: {
  name: string;
  value: number;
  more: string;
  good?: boolean;
}): ReactNode {
  return (
    <div className="tile" data-good={good === true ? '' : undefined}>
      <dt>{name}</dt>
      <dd className="tile-value">{value.toLocaleString()}</dd>
      <dd className="dim small">{more}</dd>
    </div>
  );
}

function count(number: number, word: string): string {
  return `${number.toLocaleString()} ${word}${number === 1 ? '' : 's'}`;
}
