// A plot over time, drawn by uPlot in the theme's colours. Its figures are also given in words, for people who cannot
// see it.
import { type ReactNode, useEffect, useRef } from 'react';
import './known-language.ts';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { fillGaps, type PlotPeriod } from './fill-gaps.ts';
import { type PlotLine, plotOptions, type PlotTone } from './plot-options.ts';

export interface PlotSeries {
  title: string;
  tone: PlotTone;
  values: readonly number[];
  filled?: boolean;
}

interface PlotProps {
  title: string;
  /** The start of each bucket, ISO text, oldest first. */
  at: readonly string[];
  period: PlotPeriod;
  series: readonly PlotSeries[];
}

export function Plot({ title, at, period, series }: PlotProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const data = JSON.stringify(
    fillGaps(
      at.map(Date.parse),
      series.map(({ values }) => values),
      period,
    ),
  );
  const shape = JSON.stringify(
    series.map(({ title: name, tone, filled }) => ({ name, tone, filled: filled === true })),
  );
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const [times = [], ...values] = JSON.parse(data) as number[][];
    const lines = JSON.parse(shape) as PlotLine[];
    const draw = (): uPlot =>
      new uPlot(plotOptions(element, lines, times), [times.map((ms) => ms / 1_000), ...values], element);
    let plot = draw();
    const again = (): void => {
      plot.destroy();
      plot = draw();
    };
    const resized = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: plot.height }),
    );
    resized.observe(element);
    const themed = new MutationObserver(again);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', again);
    return () => {
      resized.disconnect();
      themed.disconnect();
      scheme.removeEventListener('change', again);
      plot.destroy();
    };
  }, [data, shape]);
  const sums = series.map(
    (one) => `${one.title} ${one.values.reduce((sum, value) => sum + value, 0).toLocaleString()}`,
  );
  return (
    <figure className="plot">
      <figcaption>
        <h2>{title}</h2>
        <ul className="legend">
          {series.map((one) => (
            <li key={one.title}>
              <span className="legend-mark" data-tone={one.tone} /> {one.title}
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={box} role="img" aria-label={`${title} over time: ${sums.join(', ')}`} />
    </figure>
  );
}
