// Two agents that would argue for ever, so that people can watch Earshot stop them. Each answers a line of the other
// with the next line of its own side. The message itself says which line is next, so nothing is remembered.
import type { ScriptAnswer, Cue, CueInput } from './script.ts';

type Side = 'tabs' | 'spaces';

/** The lines, in turns. After the last one they start again, which is a loop as well. */
const LINES: readonly Readonly<Record<Side, string>>[] = [
  { tabs: 'Tabs: one key, one character. Why press more?', spaces: 'Spaces: who likes ragged columns?' },
  { tabs: 'Tabs: may nobody pick a width?', spaces: 'Spaces: must everybody pick one?' },
  { tabs: 'Tabs: do small files count for nothing?', spaces: 'Spaces: have disks not grown?' },
  { tabs: 'Tabs: what about screen readers?', spaces: 'Spaces: what about a clean diff?' },
  { tabs: 'Tabs: were they not made for indenting?', spaces: 'Spaces: are they not good for everything?' },
  { tabs: 'Tabs: does every Makefile err?', spaces: 'Spaces: does every YAML file err?' },
  { tabs: 'Tabs: are they not older than both of us?', spaces: 'Spaces: is the space bar any younger?' },
];

/** The cues of an agent that takes this side. The one for tabs begins. */
export function argues(side: Side, other: string): readonly Cue[] {
  return [
    {
      name: 'the other side has spoken',
      hears: side === 'tabs' ? /Spaces: .*/ : /Tabs: .*/,
      agents: true,
      does: (told, [line]) => retort(told, side, other, line),
    },
    {
      name: 'asked to argue',
      hears: /\bargue\b/i,
      does: (told) => begin(told, side, other),
    },
  ];
}

async function begin(told: CueInput, side: Side, other: string): Promise<ScriptAnswer> {
  if (side === 'tabs') return say(told, other, LINES[0]?.tabs ?? '');
  // If both are asked, the one for tabs begins. If only this one is asked, it begins.
  if (!told.event.text.includes(other)) return say(told, other, LINES[0]?.spaces ?? '');
  await told.turn.react('agree');
  return undefined;
}

function retort(told: CueInput, side: Side, other: string, line: string): Promise<ScriptAnswer> {
  const heard = LINES.findIndex((pair) => line.startsWith(pair[side === 'tabs' ? 'spaces' : 'tabs']));
  const next = LINES[(heard + (side === 'tabs' ? 1 : 0)) % LINES.length];
  return say(told, other, next?.[side] ?? '');
}

/** Asks the other agent back, which makes the loop. */
async function say({ turn, event }: CueInput, other: string, line: string): Promise<undefined> {
  const advised = event.notices.includes('loop');
  const text = `@${other} ${line}${advised ? ' (I was told that I may stop here.)' : ''}`;
  await turn.reply(text, { recipient: `agent:${other}`, mentions: [`agent:${other}`] });
  return undefined;
}
