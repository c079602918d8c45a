// Adds up what a turn cost, from one report or several. A number that is none is left out, because the host refuses a
// turn's end that it cannot read.
import type { TurnUsage } from '../protocol/usage.ts';

const MODEL_CHARS = 128;

export function addUsage(before: TurnUsage | undefined, more: TurnUsage): TurnUsage {
  const cachedInputTokens = sum(before?.cachedInputTokens, more.cachedInputTokens);
  const costUsd = amount(before?.costUsd, more.costUsd);
  const model = more.model?.slice(0, MODEL_CHARS) || before?.model;
  return {
    inputTokens: sum(before?.inputTokens, more.inputTokens) ?? 0,
    outputTokens: sum(before?.outputTokens, more.outputTokens) ?? 0,
    ...(cachedInputTokens === undefined ? {} : { cachedInputTokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(model === undefined ? {} : { model }),
    // One estimated part makes the sum an estimate.
    source: before?.source === 'estimated' || more.source !== 'reported' ? 'estimated' : 'reported',
  };
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  return amount(...counts.map((one) => (one === undefined ? one : Math.round(one))));
}

function amount(...parts: readonly (number | undefined)[]): number | undefined {
  const known = parts.flatMap((one) => (one !== undefined && Number.isFinite(one) && one >= 0 ? [one] : []));
  return known.length === 0 ? undefined : known.reduce((total, one) => total + one, 0);
}
