// The report: one HTML file without scripts and without anything from elsewhere, for people who ask what agents would
// have done with their chat. Every word of the chat in it is escaped, and a policy in the page forbids scripts besides.
import { VERSION } from '../../runtime/manifest.ts';
import type { AccountLine } from '../import/account.ts';
import { agentSection } from './agent-section.ts';
import { chartOf } from './chart.ts';
import { type Html, html, Html as Raw } from './html.ts';
import { dayOfMs, dayText, number, percent } from './numbers.ts';
import { roomTable } from './room-table.ts';
import { STYLE } from './style.ts';
import { AGENTS_SHOWN, type AgentTally, type Tally } from './tally.ts';

export interface ReportPage {
  /** What was read, as the user named it. */
  source: string;
  tally: Tally;
  /** How the agents were chosen. */
  chosen: readonly string[];
  /** What a reader must know about the export. */
  caveats: readonly string[];
  /** What the import left out. Empty for a log that was recorded by a host. */
  account: readonly AccountLine[];
}

const LOGO = new Raw(
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#2f6f4f"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round"><circle cx="10" cy="16" r="2" fill="#fff" stroke="none"/><path d="M14.5 10.8a7 7 0 0 1 0 10.4"/><path d="M19 7a12.5 12.5 0 0 1 0 18" opacity=".55"/></g></svg>',
);
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function reportPage(page: ReportPage): string {
  const { tally } = page;
  // Without the folders that only this machine has.
  const source = page.source.replace(/[/\\]+$/, '').replace(/.*[/\\]/, '');
  const agents = tally.agents.toSorted((a, b) => b.totals.turns - a.totals.turns);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}"><meta name="referrer" content="no-referrer">
<title>What Earshot would have done: ${source}</title><style>${new Raw(STYLE)}</style></head>
<body><main>
<header><div class="brand">${LOGO}Earshot</div>
<h1>What it would have done with ${number(tally.messages)} messages</h1>
<p class="dim">${source} · ${range(tally)}</p>${figures(agents)}</header>
${agents.length > 1 ? agentTable(agents) : ''}
${chartOf(tally.days)}
${agents.slice(0, AGENTS_SHOWN).map((agent, index) => agentSection(agent, tally, anchorOf(index)))}
${agents.length > 1 ? html`<section><h2>All agents together, by room</h2><div class="card">${roomTable(agents, tally)}</div></section>` : ''}
${leftOut(page)}
${howToRead(page)}
<footer>Made by Earshot ${VERSION}, on this machine; nothing was sent anywhere. It quotes your chat, so treat it as you treat that.</footer>
</main></body></html>
`.text;
}

function range({ from, to, messages }: Tally): string {
  return messages === 0 ? 'no messages' : `${dayText(dayOfMs(from))} to ${dayText(dayOfMs(to))}`;
}

function figures(agents: readonly AgentTally[]): Html {
  const sum = (value: (agent: AgentTally) => number): number =>
    agents.reduce((total, agent) => total + value(agent), 0);
  const turns = sum(({ totals }) => totals.turns);
  const everything = sum(({ totals }) => totals.everythingTurns);
  const [spared, missed] = [
    sum(({ mentionsSpared }) => mentionsSpared),
    sum(({ unmentioned }) => unmentioned),
  ];
  return html`<div class="figures">
<div class="card first"><b>${number(turns)}</b>turns spent by ${agents.length === 1 ? 'one agent' : `${number(agents.length)} agents`}</div>
<div class="card"><b>${number(everything - turns)}</b>turns spared (${percent(everything - turns, everything)}) against answering every message</div>
<div class="card"><b>${number(spared)}</b>mentions that needed no turn; ${number(missed)} turns for what was meant for an agent without a mention</div></div>`;
}

const anchorOf = (index: number): string => `agent-${index + 1}`;

function agentTable(agents: readonly AgentTally[]): Html {
  return html`<section><h2>Agents</h2><div class="card"><div class="wide"><table class="agents"><thead><tr><th>agent</th><th>wrote</th><th>turns</th><th>mentions</th><th>all</th></tr></thead><tbody>${agents.map(
    ({ id, totals, posts }, index) => {
      const name = index < AGENTS_SHOWN ? html`<a href="#${anchorOf(index)}">${id}</a>` : id;
      return html`<tr><td>${name}</td><td>${number(posts)}</td><td>${number(totals.turns)}</td><td>${number(totals.mentionTurns)}</td><td>${number(totals.everythingTurns)}</td></tr>`;
    },
  )}</tbody></table></div><p class="small dim">Turns with Earshot, then those of an agent that answers every mention, and of one that answers every message.</p></div></section>`;
}

function leftOut({ account }: ReportPage): Html {
  if (account.length === 0) return html``;
  return html`<section class="left-out"><h2>What the import left out</h2><div class="grid">
<div class="card"><h3>Not in this report</h3>${accountList(
    account.filter(({ kept }) => !kept),
    'Nothing.',
  )}</div>
<div class="card"><h3>In it, with less than the platform knew</h3>${accountList(
    account.filter(({ kept }) => kept),
    'Nothing.',
  )}</div></div></section>`;
}

function accountList(lines: readonly AccountLine[], none: string): Html {
  return lines.length === 0
    ? html`<p class="dim">${none}</p>`
    : html`<ul class="notes">${lines.map(
        ({ count, words, names }) =>
          html`<li>${words}: ${number(count)}<br><span class="small dim">${namesText(names)}</span></li>`,
      )}</ul>`;
}

const NAMES_SHOWN = 12;

export function namesText(names: AccountLine['names']): string {
  const shown = names.slice(0, NAMES_SHOWN).map(({ name, count }) => `${name.slice(0, 64)} ${number(count)}`);
  const rest = names.length - NAMES_SHOWN;
  return `${shown.join(', ')}${rest > 0 ? ` and ${number(rest)} more` : ''}`;
}

function howToRead({ chosen, caveats }: ReportPage): Html {
  const notes = [
    ...chosen,
    'A turn is one run of an agent’s model. Lines of one author that belong together are one turn.',
    'An agent that answers every message takes a turn on each one that it may hear. One that answers every mention takes a turn on each mention and each direct message, whatever it says.',
    'The chat is what it was: an agent that is not in it says nothing here, so nobody follows up on its answers.',
    ...caveats,
  ];
  return html`<section><h2>How to read this</h2><div class="card"><ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul></div></section>`;
}
