// What was remembered of a conversation when one event was decided for one agent: the state before it, folded again from
// the log, in words. Only what a decision may rest on; ids of events are left out, people and agents go by name.
import type { AttentionState, Roster } from '../../attention/index.ts';
import { shortKey } from '../../attention/index.ts';
import type { StateUsed } from '../../protocol/operator-api.ts';
import type { LogRow } from '../../store/tables.ts';
import { iso } from '../../protocol/log-record.ts';

type Row = StateUsed['remembered'][number];

interface Remembered {
  state: AttentionState;
  roster: Roster;
  /** Key of the agent, and of whoever spoke. */
  agent: string;
  author: string;
}

export function remembered(state: AttentionState, roster: Roster, row: LogRow, agent: string): Row[] {
  const { author } = row.record.event;
  const known: Remembered = {
    state,
    roster,
    agent: roster.byIdentity.get(agent)?.key ?? '',
    author:
      (author.kind === 'human' ? undefined : roster.byIdentity.get(author.id)?.key) ?? shortKey(author.id),
  };
  return [mode, spoken, partner, people, asked, claims, loop, window].flatMap((rule) => rule(known));
}

function mode({ state, roster, agent }: Remembered): Row[] {
  const own = state.agents.find(({ key }) => key === agent);
  const words =
    own?.mode === undefined || own.mode === null ? `${roster.mode}, as usual here` : `${own.mode}, set here`;
  const rest = own?.disengaged === true ? '; it has stepped back until its turn ends' : '';
  return [{ what: 'its mode', words: `${words}${rest}` }];
}

function spoken({ state, agent }: Remembered): Row[] {
  const at = state.agents.find(({ key }) => key === agent)?.spokeN ?? 0;
  return [{ what: 'it last spoke', words: at === 0 ? 'never here' : ago(state.n - at) }];
}

function partner(known: Remembered): Row[] {
  const { state, author } = known;
  const speaker = state.speakers.find(({ key }) => key === author);
  if (speaker === undefined) return [{ what: 'the author', words: 'had not spoken here before' }];
  if (speaker.partner === '') return [{ what: 'the author', words: 'was talking with nobody in particular' }];
  const last = speaker.spokeLast ? 'the author spoke last of the two' : 'the other one spoke last';
  const when = ago(state.n - speaker.partnerN);
  return [
    { what: 'the author', words: `was talking with ${nameOf(known, speaker.partner)}: ${when}, ${last}` },
  ];
}

function people({ state }: Remembered): Row[] {
  const humans = state.speakers.filter(({ kind }) => kind === 'human').length + state.forgotten.humans;
  const heard = `${humans} ${humans === 1 ? 'person has' : 'people have'} spoken`;
  const { membership } = state;
  if (membership === null) return [{ what: 'people', words: `${heard}; the membership was not known` }];
  const whole = membership.complete ? '' : 'at least ';
  return [
    { what: 'people', words: `${heard}; ${whole}${membership.humans} were there at ${iso(membership.at)}` },
  ];
}

function asked(known: Remembered): Row[] {
  return known.state.asks
    .filter(({ agent }) => agent === known.agent)
    .map(({ to }) => ({
      what: 'it had asked',
      words:
        to === '' ? 'the room, and waited for an answer' : `${nameOf(known, to)}, and waited for an answer`,
    }));
}

function claims(known: Remembered): Row[] {
  return known.state.claims.map(({ agent, event, until }) => ({
    what: 'claimed',
    words: `${event === '' ? 'the conversation' : 'a message'} by ${nameOf(known, agent)} until ${iso(until)}`,
  }));
}

function loop({ state }: Remembered): Row[] {
  const { count, stopped } = state.loop;
  if (count === 0 && stopped === null) return [];
  const words = `${count} agent ${count === 1 ? 'turn' : 'turns'} since a person spoke`;
  return [{ what: 'agents among themselves', words: stopped === null ? words : `${words}; stopped` }];
}

function window({ state, author, agent }: Remembered): Row[] {
  const open = state.windows.find((one) => one.author === author);
  if (open === undefined || !open.addressed.some((entry) => entry.agent === agent)) return [];
  return [
    { what: 'the author was writing to it', words: `further lines until ${iso(open.until)} belong together` },
  ];
}

function ago(messages: number): string {
  return messages <= 0 ? 'just before' : `${messages} ${messages === 1 ? 'message' : 'messages'} before`;
}

function nameOf({ roster, state }: Remembered, key: string): string {
  const speaker = state.speakers.find((one) => one.key === key);
  return roster.byKey.get(key)?.id ?? (speaker?.name || key);
}
