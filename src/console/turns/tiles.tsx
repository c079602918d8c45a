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
    tokensIn,
    tokensOut,
    tokensCached,
    tokensEstimated,
    usd,
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
      <Tile
        name="Tokens"
        value={tokens}
        more={costWords({ tokens, tokensIn, tokensOut, tokensCached, tokensEstimated, usd })}
      />
    </dl>
  );
}

type Cost = Pick<Tally, 'tokens' | 'tokensIn' | 'tokensOut' | 'tokensCached' | 'tokensEstimated' | 'usd'>;

/** Where the number comes from: counted by providers, or guessed from the length of texts. */
export function costWords(cost: Cost): string {
  const { tokens, tokensIn, tokensOut, tokensCached, tokensEstimated, usd } = cost;
  const cached = tokensCached === 0 ? '' : ` (${tokensCached.toLocaleString()} cached)`;
  const parts = [`${tokensIn.toLocaleString()} in${cached}, ${tokensOut.toLocaleString()} out`];
  if (usd > 0) parts.push(`$${usd.toFixed(usd < 1 ? 4 : 2)}`);
  if (tokens > 0 && tokensEstimated === tokens) parts.push('all of it an estimate');
  else if (tokensEstimated > 0) {
    const share = Math.max(1, Math.round((100 * tokensEstimated) / tokens));
    parts.push(`${share} % an estimate`);
  }
  return parts.join('; ');
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
