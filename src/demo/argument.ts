// Two agents that would argue for ever, so that people can watch Earshot stop them. Each answers a line of the other
// with the next line of its own side. The message itself says which line is next, so nothing is remembered.
import type { ScriptAnswer, Cue, CueInput } from './script.ts';

type Side = 'tabs' | 'spaces';

/** The lines, in turns. After the last one they start again, which is a loop as well. */
const LINES: readonly Readonly<Record<Side, string>>[] = [
  { tabs: 'Tabs: one key, one character.', spaces: 'Spaces: the same width in every editor.' },
  { tabs: 'Tabs: everybody picks a width.', spaces: 'Spaces: nobody has to pick one.' },
  { tabs: 'Tabs: files get smaller.', spaces: 'Spaces: disks have got larger.' },
  { tabs: 'Tabs: kinder to screen readers.', spaces: 'Spaces: kinder to a diff.' },
  { tabs: 'Tabs: made for indenting.', spaces: 'Spaces: made for everything.' },
  { tabs: 'Tabs: every Makefile insists.', spaces: 'Spaces: every YAML file insists.' },
  { tabs: 'Tabs: older than both of us.', spaces: 'Spaces: so is the space bar.' },
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

/** Asks the other agent to answer, which makes the loop. */
async function say({ turn, event }: CueInput, other: string, line: string): Promise<undefined> {
  const advised = event.notices.includes('loop');
  const text = `@${other} ${line}${advised ? ' (I was told that I may stop here.)' : ''}`;
  await turn.reply(text, { recipient: `agent:${other}`, mentions: [`agent:${other}`] });
  return undefined;
}
