// Rooms with what was heard, spent and spared in each, and how many turns an agent that answers every mention would have
// spent: of one agent, or of all together.
import { printableLine } from '../../protocol/identity.ts';
import { type Html, html } from './html.ts';
import { number } from './numbers.ts';
import type { AgentTally, Tally } from './tally.ts';

const ROOMS_SHOWN = 12;
const ROOMS_LISTED = 500;
const NAME_CHARS = 60;

interface RoomLine {
  name: string;
  heard: number;
  turns: number;
  everything: number;
  mentions: number;
}

export function roomTable(agents: readonly AgentTally[], tally: Tally): Html {
  const lines = linesOf(agents, tally);
  const more = lines.slice(ROOMS_SHOWN, ROOMS_LISTED);
  const hidden = lines.length - ROOMS_SHOWN - more.length;
  return html`${table(lines.slice(0, ROOMS_SHOWN))}${
    more.length === 0
      ? ''
      : html`<details><summary>${number(more.length)} more</summary>${table(more)}${
          hidden > 0 ? html`<p class="small dim">and ${number(hidden)} with fewer turns</p>` : ''
        }</details>`
  }`;
}

/** The rooms with the most turns first. */
function linesOf(agents: readonly AgentTally[], { titles }: Tally): RoomLine[] {
  const rooms = new Map<string, RoomLine>();
  for (const agent of agents) {
    for (const [id, { messages, turns, everythingTurns, mentionTurns }] of agent.rooms) {
      const name = printableLine(titles.get(id) ?? id, NAME_CHARS);
      const line = rooms.get(id) ?? { name, heard: 0, turns: 0, everything: 0, mentions: 0 };
      rooms.set(id, line);
      line.heard = Math.max(line.heard, messages);
      line.turns += turns;
      line.everything += everythingTurns;
      line.mentions += mentionTurns;
    }
  }
  return [...rooms.values()].toSorted((a, b) => b.turns - a.turns || b.heard - a.heard);
}

function table(lines: readonly RoomLine[]): Html {
  return html`<div class="wide"><table class="rooms"><thead><tr><th>room</th><th>heard</th><th>turns</th><th>spared</th><th>mentions</th></tr></thead><tbody>${lines.map(
    ({ name, heard, turns, everything, mentions }) =>
      html`<tr><td>${name}</td><td>${number(heard)}</td><td>${number(turns)}</td><td>${number(everything - turns)}</td><td>${number(mentions)}</td></tr>`,
  )}</tbody></table></div>`;
}
