// One agent in the report: its turns beside those of simpler agents, what woke it and what did not, who and where, and
// ten examples of each side with the reason in words.
import { OTHER_RUNG_WORDS, REASON_WORDS, RUNG_WORDS } from '../../attention/trace-words.ts';
import type { Decision } from '../../attention/decision.ts';
import { decisionWords } from '../../host/operator/plain-words.ts';
import { findSecrets, redact } from '../../host/security/redact.ts';
import { displayName, printableLine } from '../../protocol/identity.ts';
import { instantMs } from '../../protocol/log-record.ts';
import { hideClaimCodes } from '../replay-text.ts';
import { plural } from '../totals.ts';
import { type Html, html } from './html.ts';
import { number, percent, timeText } from './numbers.ts';
import { roomTable } from './room-table.ts';
import { type AgentTally, type Example, type Tally, examplesOf } from './tally.ts';

const NAME_CHARS = 60;
const SAID_CHARS = 320;
const LINES = 8;

/** `anchor`: what the table of agents leads to. */
export function agentSection(agent: AgentTally, tally: Tally, anchor: string): Html {
  const { totals, id, posts } = agent;
  const { turns, everythingTurns, mentionTurns, messages } = totals;
  return html`<section class="agent" id="${anchor}" data-agent="${id}"><h2>${displayName(id, NAME_CHARS)}</h2>
<p>${sentence(agent)}${posts > 0 ? ` It wrote ${number(posts)} ${plural(posts, 'message')} in this time.` : ''}</p>
<div class="card"><h3>Turns, out of ${number(messages)} messages that it heard</h3><ul class="bars">${[
    bar('with Earshot', turns, everythingTurns, 'spent'),
    bar('answering every mention', mentionTurns, everythingTurns, 'mention'),
    bar('answering every message', everythingTurns, everythingTurns, ''),
  ]}</ul></div>
<div class="grid">
<div class="card"><h3>Woken, by what decided</h3>${counted(agent.woken, rungWords, 'spent', 'Nothing woke it.')}</div>
<div class="card"><h3>Kept quiet, because</h3>${counted(agent.quiet, (reason) => REASON_WORDS[reason], '', 'Nothing was kept from it.')}</div>
<div class="card"><h3>Who woke it</h3>${counted(agent.wokenBy, (author) => nameOf(tally, author), 'spent', 'Nobody.')}</div>
<div class="card"><h3>Where</h3>${roomTable([agent], tally)}</div>
</div>
<div class="grid">
<div class="card woken"><h3>Examples: woken</h3>${examples(agent, 'woken', tally)}</div>
<div class="card quiet"><h3>Examples: kept quiet</h3>${examples(agent, 'quiet', tally)}</div>
</div></section>`;
}

function sentence({ totals, mentionsSpared, unmentioned }: AgentTally): string {
  const { turns, everythingTurns } = totals;
  const spared = everythingTurns - turns;
  const all = `Woken ${number(turns)} ${plural(turns, 'time')}: ${number(spared)} turns fewer (${percent(spared, everythingTurns)}) than answering every message`;
  return `${all}. ${compared(mentionsSpared, unmentioned)}`;
}

/** Against an agent that answers every mention and nothing else. */
function compared(spared: number, more: number): string {
  if (spared === 0 && more === 0) return 'An agent that answers every mention would have done the same.';
  const needless = `An agent that answers every mention would have answered ${number(spared)} that needed no turn`;
  return `${needless}, and missed ${number(more)} that ${more === 1 ? 'was' : 'were'} for it without one.`;
}

export function bar(label: string, value: number, most: number, style: string): Html {
  const width = most === 0 ? 0 : (100 * value) / most;
  return html`<li><span>${label}</span><span class="n">${number(value)}</span><div class="bar">${
    value > 0 ? html`<i class="${style}" style="width:${width.toFixed(1)}%"></i>` : ''
  }</div></li>`;
}

/** Every rung has words for people. Those that are no rung of the ladder are single words. */
function rungWords(rung: Decision['trace']['rung']): string {
  if (rung === 'admission' || rung === 'amendment' || rung === 'act')
    return OTHER_RUNG_WORDS[rung].toLowerCase();
  return RUNG_WORDS[rung].holds;
}

function counted<K>(
  counts: ReadonlyMap<K, number>,
  words: (key: K) => string,
  style: string,
  none: string,
): Html {
  const rows = [...counts].toSorted(([, a], [, b]) => b - a);
  const most = rows[0]?.[1] ?? 0;
  if (most === 0) return html`<p class="dim">${none}</p>`;
  const rest = rows.slice(LINES).reduce((sum, [, value]) => sum + value, 0);
  return html`<ul class="bars">${rows.slice(0, LINES).map(([key, value]) => bar(words(key), value, most, style))}${
    rest > 0
      ? html`<li class="dim"><span>${number(rows.length - LINES)} others</span><span class="n">${number(rest)}</span></li>`
      : ''
  }</ul>`;
}

function examples(agent: AgentTally, side: 'woken' | 'quiet', tally: Tally): Html {
  const chosen = examplesOf(agent, side);
  if (chosen.length === 0) return html`<p class="dim">None.</p>`;
  return html`${chosen.map((one) => exampleBlock(one, side, tally))}`;
}

function exampleBlock({ event, decision }: Example, side: 'woken' | 'quiet', tally: Tally): Html {
  const { conversation, author, text = '' } = event;
  const { steps } = decisionWords(decision);
  const place = roomName(tally, conversation.parentId ?? conversation.id);
  const thread = conversation.parentId === undefined ? '' : ', in a thread';
  return html`<div class="example"><p class="small dim">${timeText(instantMs(event.at))} · ${place}${thread} · ${nameOf(tally, author.id)}</p>
<p class="said">${said(text)}</p><p><span class="chip ${side}">${REASON_WORDS[decision.reason]}</span></p>
<details><summary>Why</summary><ol>${steps.map((step) => html`<li>${step}</li>`)}</ol></details></div>`;
}

/** One line, without secrets, pairing codes and characters that nobody sees. */
function said(text: string): string {
  return printableLine(hideClaimCodes(redact(text, findSecrets(text))), SAID_CHARS);
}

export function nameOf({ names }: Tally, id: string): string {
  return displayName(names.get(id) ?? id, NAME_CHARS) || '(no name)';
}

export function roomName({ titles }: Tally, id: string): string {
  return printableLine(titles.get(id) ?? id, NAME_CHARS) || '(no name)';
}
