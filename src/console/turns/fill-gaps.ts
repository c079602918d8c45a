// The host leaves out buckets in which nothing happened. A line drawn across them would show turns that never happened,
// so they are added here as zeros, over the whole period.

/** The most points of a plot. A longer period is drawn only from its first bucket to its last. */
const POINTS_MAX = 400;

export interface PlotPeriod {
  fromMs: number;
  toMs: number;
  bucketMs: number;
}

export function fillGaps(
  times: readonly number[],
  series: readonly (readonly number[])[],
  { fromMs, toMs, bucketMs }: PlotPeriod,
): [times: number[], ...values: number[][]] {
  const [first, last] = [times.at(0), times.at(-1)];
  if (first === undefined || last === undefined) return [[], ...series.map(() => [])];
  const whole = (toMs - fromMs) / bucketMs <= POINTS_MAX;
  const start = whole ? first - Math.floor((first - fromMs) / bucketMs) * bucketMs : first - bucketMs;
  // One extra bucket gives the last one its width.
  const end = (whole ? toMs : last) + bucketMs;
  const known = new Map(times.map((at, index) => [at, index]));
  const all: number[] = [];
  for (let at = start; at <= end; at += bucketMs) all.push(at);
  const filled = series.map((values) =>
    all.map((at) => {
      const index = known.get(at);
      return index === undefined ? 0 : (values[index] ?? 0);
    }),
  );
  return [all, ...filled];
}
