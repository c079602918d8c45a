// A small registry of metrics in Prometheus' text form: counters, gauges that are read at scrape time, histograms with
// fixed buckets. A metric keeps a limited number of label sets; further ones are counted together as `other`.
import { monitorEventLoopDelay } from 'node:perf_hooks';

export type Labels = Readonly<Record<string, string>>;

/** One label set of a counter. */
export interface Count {
  value: number;
}
export interface Counter {
  add(labels?: Labels, by?: number): void;
  /** Finds one label set, to keep and count in place. For code in which counting must cost nothing. */
  of(labels: Labels): Count;
}
export interface Histogram {
  observe(value: number): void;
}
export type Reading = readonly [labels: Labels, value: number];

export interface Metrics {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string, buckets: readonly number[]): Histogram;
  /** `read` is called when somebody asks for the metrics. */
  /** Counters that somebody else keeps. `read` is called when somebody asks for the metrics. */
  totals(name: string, help: string, read: () => readonly Reading[]): void;
  gauge(name: string, help: string, read: () => readonly Reading[] | Promise<readonly Reading[]>): void;
  text(): Promise<string>;
}

const LABEL_SETS_MAX = 500;
const OTHER: Labels = { overflow: 'true' };

interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  lines: () => string[] | Promise<string[]>;
}

/** `common` is on every line: the node, where several share a store. */
export function createMetrics(common: () => Labels = () => ({})): Metrics {
  const all: Metric[] = [];
  return {
    counter(name, help) {
      const counts = new Map<string, Count & { labels: Labels }>();
      const countOf = (labels: Labels): Count => {
        const key = keyOf(labels);
        const known = counts.get(key);
        if (known !== undefined) return known;
        if (counts.size >= LABEL_SETS_MAX && labels !== OTHER) return countOf(OTHER);
        const count = { labels, value: 0 };
        counts.set(key, count);
        return count;
      };
      const readings = (): Reading[] => [...counts.values()].map(({ labels, value }) => [labels, value]);
      all.push({ name, help, type: 'counter', lines: () => lines(name, readings()) });
      return {
        add(labels = {}, by = 1) {
          countOf(labels).value += by;
        },
        of: countOf,
      };
    },
    totals(name, help, read) {
      all.push({ name, help, type: 'counter', lines: () => lines(name, read()) });
    },
    gauge(name, help, read) {
      all.push({ name, help, type: 'gauge', lines: async () => lines(name, await read()) });
    },
    histogram(name, help, buckets) {
      const made = new FixedBuckets(name, buckets);
      all.push({ name, help, type: 'histogram', lines: () => made.lines() });
      return made;
    },
    async text() {
      const parts: string[] = [];
      for (const { name, help, type, lines: read } of all) {
        parts.push(`# HELP ${name} ${escape(help)}`, `# TYPE ${name} ${type}`);
        for (const line of await read()) parts.push(withLabels(line, common()));
      }
      return `${parts.join('\n')}\n`;
    },
  };
}

class FixedBuckets implements Histogram {
  readonly #name: string;
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;
  #count = 0;

  constructor(name: string, bounds: readonly number[]) {
    this.#name = name;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  observe(value: number): void {
    this.#sum += value;
    this.#count++;
    const at = this.#bounds.findIndex((bound) => value <= bound);
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  lines(): string[] {
    let below = 0;
    const buckets = this.#bounds.map((bound, index) => {
      below += this.#counts[index] ?? 0;
      return `${this.#name}_bucket{le="${bound}"} ${below}`;
    });
    return [
      ...buckets,
      `${this.#name}_bucket{le="+Inf"} ${this.#count}`,
      `${this.#name}_sum ${this.#sum}`,
      `${this.#name}_count ${this.#count}`,
    ];
  }
}

function lines(name: string, readings: readonly Reading[]): string[] {
  return readings.map(([labels, value]) => `${name}${labelText(labels)} ${value}`);
}

function withLabels(line: string, labels: Labels): string {
  const text = labelText(labels);
  if (text === '') return line;
  const [, name = '', rest = ''] = /^(\w+)(.*)$/s.exec(line) ?? [];
  return rest.startsWith('{') ? `${name}${text.slice(0, -1)},${rest.slice(1)}` : `${name}${text}${rest}`;
}

/** Escapes nothing, because it runs on every count. Labels are escaped when the metrics are printed. */
function keyOf(labels: Labels): string {
  let key = '';
  for (const name in labels) key += `${name}\n${labels[name]}\n`;
  return key;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([key, value]) => `${key}="${escape(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

const SAMPLE_MS = 20;

/** Measures how late the event loop is, from now until `stop`. Seconds. */
export function measureEventLoop(): { p99: () => number; max: () => number; stop: () => void } {
  const measured = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  measured.enable();
  // The histogram measures the time between two samples. What exceeds the interval is the delay.
  const seconds = (ns: number): number => Math.max(0, ns - SAMPLE_MS * 1e6) / 1e9;
  return {
    p99: () => seconds(measured.percentile(99)),
    max: () => seconds(measured.max),
    stop: () => void measured.disable(),
  };
}

/** Seconds since it was made, finer than a millisecond. */
export function stopwatch(): () => number {
  const from = performance.now();
  return () => (performance.now() - from) / 1_000;
}
