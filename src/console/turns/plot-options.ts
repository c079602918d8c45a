// The look of a plot: bars for what happened, steps for what would have happened, in the theme's colours and the
// reader's time zone.
import type { InboundDecision } from '../../protocol/vocabulary.ts';
import './known-language.ts';
import uPlot from 'uplot';

/** A colour of the theme: one per decision, and one for everything else. */
export type PlotTone = Exclude<InboundDecision, 'observe'> | 'accent';

export interface PlotLine {
  name: string;
  tone: PlotTone;
  filled: boolean;
}

const HEIGHT_PX = 190;
const TWO_DAYS_MS = 2 * 86_400_000;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hour12: false });
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

export function plotOptions(
  element: HTMLElement,
  lines: readonly PlotLine[],
  times: readonly number[],
): uPlot.Options {
  const [text, grid] = [colour(element, '--dim'), colour(element, '--line')];
  const axis: uPlot.Axis = {
    stroke: text,
    grid: { stroke: grid, width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(element).fontFamily}`,
  };
  const format = (times.at(-1) ?? 0) - (times.at(0) ?? 0) > TWO_DAYS_MS ? DAY : CLOCK;
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false },
    scales: { y: { range: (_, _least, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [
      {
        ...axis,
        size: 28,
        space: 70,
        values: (_, ticks) => ticks.map((tick) => format.format(tick * 1_000)),
      },
      {
        ...axis,
        size: 52,
        values: (_, ticks) => ticks.map((tick) => (Number.isInteger(tick) ? tick.toLocaleString() : '')),
      },
    ],
    series: [{}, ...lines.map((line) => seriesOf(element, line))],
  };
}

function seriesOf(element: HTMLElement, { name, tone, filled }: PlotLine): uPlot.Series {
  const stroke = colour(element, `--${tone}`);
  const { bars, stepped } = uPlot.paths;
  const paths = filled ? bars?.({ size: [0.85, 40], align: 1 }) : stepped?.({ align: 1 });
  return {
    label: name,
    stroke,
    width: filled ? 0 : 1.5,
    points: { show: false },
    ...(filled ? { fill: withAlpha(stroke) } : {}),
    ...(paths === undefined ? {} : { paths }),
  };
}

/** A canvas needs a colour and not a variable, so the browser resolves it on an element. */
function colour(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`;
  const found = getComputedStyle(element).color;
  element.style.color = '';
  return found;
}

function withAlpha(rgb: string): string {
  return rgb.replace(/^rgb\((.*)\)$/, 'rgb($1 / 60%)').replaceAll(',', ' ');
}
