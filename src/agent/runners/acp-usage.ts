// What a prompt cost, as the agent reports it: in its answer to the prompt (`usage`, or Gemini's `_meta.quota`), and the
// money as a running total of the session.
import type { TurnUsage } from '../../protocol/usage.ts';
import { integer, record, string } from '../read-event.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Undefined when the agent reports nothing. */
export function promptUsage(response: unknown): TurnUsage | undefined {
  const usage = record(record(response)['usage']);
  const meta = record(record(response)['_meta']);
  return fromUsage(usage) ?? fromQuota(record(meta['quota']));
}

/** Some agents count cached tokens as input, some beside it. The total tells which. */
function fromUsage(usage: Fields): TurnUsage | undefined {
  const [input, output, total] = ['inputTokens', 'outputTokens', 'totalTokens'].map((name) =>
    integer(usage[name]),
  );
  if (input === undefined || output === undefined) return undefined;
  const cachedRead = integer(usage['cachedReadTokens']) ?? 0;
  const cachedWrite = integer(usage['cachedWriteTokens']) ?? 0;
  const thought = integer(usage['thoughtTokens']) ?? 0;
  const beside = total !== undefined && total >= input + output + cachedRead + cachedWrite;
  const thoughtsBeside =
    total !== undefined && total >= input + output + thought + (beside ? cachedRead + cachedWrite : 0);
  return {
    inputTokens: beside ? input + cachedRead + cachedWrite : input,
    outputTokens: thoughtsBeside ? output + thought : output,
    ...(cachedRead > 0 ? { cachedInputTokens: cachedRead } : {}),
    source: 'reported',
  };
}

function fromQuota(quota: Fields): TurnUsage | undefined {
  const tokens = record(quota['token_count']);
  const [input, output] = [integer(tokens['input_tokens']), integer(tokens['output_tokens'])];
  if (input === undefined || output === undefined) return undefined;
  const models = Array.isArray(quota['model_usage']) ? quota['model_usage'] : [];
  const model = string(record(models[0])['model']);
  return {
    inputTokens: input,
    outputTokens: output,
    ...(model === undefined ? {} : { model }),
    source: 'reported',
  };
}

/** Agents tell what a session has cost in all, so a prompt has cost the difference. */
export interface SessionCost {
  totalUsd: number | undefined;
  /** What earlier turns were told. Undefined in a session of an earlier process, until its first total is known. */
  toldUsd: number | undefined;
}

/** Reads the total from a `usage_update`. */
export function noteCost(cost: SessionCost, update: Fields): void {
  if (update['sessionUpdate'] !== 'usage_update') return;
  const { amount, currency } = record(update['cost']);
  if (typeof amount === 'number' && amount >= 0 && currency === 'USD') cost.totalUsd = amount;
}

/** What was not told yet. */
export function newCost(cost: SessionCost): number | undefined {
  const { totalUsd, toldUsd } = cost;
  if (totalUsd === undefined) return undefined;
  cost.toldUsd = totalUsd;
  return toldUsd === undefined || totalUsd <= toldUsd ? undefined : totalUsd - toldUsd;
}
