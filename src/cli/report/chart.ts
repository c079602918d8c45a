// The chart over days: turns spent beside what an agent that answers every mention would have spent, and below it the
// messages. Bars are SVG without words, so they stretch to any width; the words around them are HTML.
import { type Html, html } from './html.ts';
import { dayText, number } from './numbers.ts';
import type { DayTally } from './tally.ts';

/** With more days than this a bar is a week, with more weeks than this a month. */
const BARS_MAX = 92;
const DAY_MS = 86_400_000;

export interface Bar extends DayTally {
  label: string;
}

export function chartOf(days: ReadonlyMap<string, DayTally>): Html {
  const { bars, unit } = barsOf(days);
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const turnsMax = Math.max(1, ...bars.map(({ turns, mentionTurns }) => Math.max(turns, mentionTurns)));
  const messagesMax = Math.max(1, ...bars.map(({ messages }) => messages));
  return html`<section aria-labelledby="days"><h2 id="days">Over ${unit}s</h2>
<div class="card">
<p class="legend"><span><i class="key spent"></i>turns spent</span><span><i class="key mention"></i>answering every mention</span><span><i class="key heard"></i>messages</span></p>
<figure><figcaption>turns a ${unit}, at most ${number(turnsMax)}</figcaption>
${panel(bars, 'turns', (bar) => [
  { height: bar.mentionTurns / turnsMax, style: 'mention' },
  { height: bar.turns / turnsMax, style: 'spent' },
])}</figure>
<figure><figcaption>messages a ${unit}, at most ${number(messagesMax)}</figcaption>
${panel(bars, 'messages', (bar) => [{ height: bar.messages / messagesMax, style: 'heard' }])}</figure>
<p class="axis"><span>${first.label}</span><span>${bars.length > 1 ? last.label : ''}</span></p>
<details><summary>The same as numbers</summary>${numbersTable(bars)}</details>
</div></section>`;
}

interface Column {
  /** 0 to 1. */
  height: number;
  style: string;
}

const PANEL_HEIGHT = 100;
/** Of a bar's place, left empty on both sides together. */
const GAP = 0.2;
/** The least height of something that is not nothing. */
const LEAST = 1;
/** Fewer bars than this leave more room between them, instead of becoming walls. */
const FULL_BARS = 14;

function panel(bars: readonly Bar[], what: string, columnsOf: (bar: Bar) => readonly Column[]): Html {
  const shapes = bars.map((bar, index) => {
    const columns = columnsOf(bar);
    const all = (1 - GAP) * Math.min(1, bars.length / FULL_BARS);
    const width = all / columns.length;
    return html`<g><title>${titleOf(bar)}</title>${columns.map(({ height, style }, at) => {
      const tall = height === 0 ? 0 : Math.max(LEAST, height * PANEL_HEIGHT);
      return html`<rect class="${style}" x="${(index + (1 - all) / 2 + at * width).toFixed(3)}" y="${(PANEL_HEIGHT - tall).toFixed(2)}" width="${width.toFixed(3)}" height="${tall.toFixed(2)}"/>`;
    })}</g>`;
  });
  return html`<svg class="${what}" role="img" aria-label="${what} over time" viewBox="0 0 ${bars.length} ${PANEL_HEIGHT}" preserveAspectRatio="none">${shapes}</svg>`;
}

function titleOf({ label, messages, turns, mentionTurns }: Bar): string {
  return `${label}: ${number(messages)} messages, ${number(turns)} turns, ${number(mentionTurns)} for every mention`;
}

function numbersTable(bars: readonly Bar[]): Html {
  return html`<div class="wide"><table><thead><tr><th>when</th><th>messages</th><th>turns spent</th><th>every mention</th><th>every message</th></tr></thead><tbody>${bars.map(
    (bar) =>
      html`<tr><td>${bar.label}</td><td>${number(bar.messages)}</td><td>${number(bar.turns)}</td><td>${number(bar.mentionTurns)}</td><td>${number(bar.everythingTurns)}</td></tr>`,
  )}</tbody></table></div>`;
}

/** Days without a message are there too, with nothing in them. */
export function barsOf(days: ReadonlyMap<string, DayTally>): { bars: Bar[]; unit: 'day' | 'week' | 'month' } {
  const known = [...days.keys()].toSorted();
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return { bars: [], unit: 'day' };
  const [from, to] = [Date.parse(first), Date.parse(last)];
  const span = Math.round((to - from) / DAY_MS) + 1;
  const unit = span <= BARS_MAX ? 'day' : span <= BARS_MAX * 7 ? 'week' : 'month';
  const bars = new Map<string, Bar>();
  for (let at = from; at <= to; at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    const label = labelOf(day, unit, Math.floor((at - from) / (7 * DAY_MS)), from);
    const bar = bars.get(label) ?? { label, messages: 0, turns: 0, mentionTurns: 0, everythingTurns: 0 };
    bars.set(label, bar);
    const found = days.get(day);
    if (found === undefined) continue;
    bar.messages += found.messages;
    bar.turns += found.turns;
    bar.mentionTurns += found.mentionTurns;
    bar.everythingTurns += found.everythingTurns;
  }
  return { bars: [...bars.values()], unit };
}

function labelOf(day: string, unit: 'day' | 'week' | 'month', week: number, from: number): string {
  if (unit === 'day') return dayText(day);
  if (unit === 'month') return day.slice(0, 7);
  return `week of ${dayText(new Date(from + week * 7 * DAY_MS).toISOString().slice(0, 10))}`;
}
