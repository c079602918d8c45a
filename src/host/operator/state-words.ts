// Describes what the host remembered of a conversation when it decided one event for one agent. The state before the
// event is folded again from the log. Only facts that a decision can use are listed, with names and no event ids.
import type { AttentionState, Roster } from '../../attention/index.ts';
import { findPair, shortKey } from '../../attention/index.ts';
import type { StateUsed } from '../../protocol/operator-api.ts';
import type { LogRow } from '../../store/tables.ts';
import { iso } from '../../protocol/log-record.ts';

type RememberedFact = StateUsed['remembered'][number];

interface StateView {
  state: AttentionState;
  roster: Roster;
  /** The agent's key in the state. */
  agent: string;
  /** The key of the event's author in the state. */
  author: string;
}

export function rememberedFacts(
  state: AttentionState,
  roster: Roster,
  row: LogRow,
  agent: string,
): RememberedFact[] {
  const { author } = row.record.event;
  const known: StateView = {
    state,
    roster,
    agent: roster.byIdentity.get(agent)?.key ?? '',
    author:
      (author.kind === 'human' ? undefined : roster.byIdentity.get(author.id)?.key) ?? shortKey(author.id),
  };
  return [mode, spoken, partner, people, asked, claims, loop, window].flatMap((rule) => rule(known));
}

function mode({ state, roster, agent }: StateView): RememberedFact[] {
  const own = state.agents.find(({ key }) => key === agent);
  const words =
    own?.mode === undefined || own.mode === null ? `${roster.mode}, as usual here` : `${own.mode}, set here`;
  const rest = own?.disengaged === true ? '; it has stepped back until its turn ends' : '';
  return [{ what: 'its mode', words: `${words}${rest}` }];
}

function spoken({ state, agent }: StateView): RememberedFact[] {
  const at = state.agents.find(({ key }) => key === agent)?.spokeN ?? 0;
  return [{ what: 'it last spoke', words: at === 0 ? 'never here' : ago(state.n - at) }];
}

function partner(known: StateView): RememberedFact[] {
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

function people({ state }: StateView): RememberedFact[] {
  const humans = state.speakers.filter(({ kind }) => kind === 'human').length + state.forgotten.humans;
  const heard = `${humans} ${humans === 1 ? 'person has' : 'people have'} spoken`;
  const { membership } = state;
  if (membership === null) return [{ what: 'people', words: `${heard}; the membership was not known` }];
  const whole = membership.complete ? '' : 'at least ';
  return [
    { what: 'people', words: `${heard}; ${whole}${membership.humans} were there at ${iso(membership.at)}` },
  ];
}

function asked(known: StateView): RememberedFact[] {
  return known.state.asks
    .filter(({ agent }) => agent === known.agent)
    .map(({ to }) => ({
      what: 'it had asked',
      words:
        to === '' ? 'the room, and waited for an answer' : `${nameOf(known, to)}, and waited for an answer`,
    }));
}

function claims(known: StateView): RememberedFact[] {
  return known.state.claims.map(({ agent, event, until }) => ({
    what: 'claimed',
    words: `${event === '' ? 'the conversation' : 'a message'} by ${nameOf(known, agent)} until ${iso(until)}`,
  }));
}

/** What the loop guard knows about the agent and the author, when both are agents. */
function loop(known: StateView): RememberedFact[] {
  const pair = findPair(known.state.loop, known.agent, known.author);
  if (pair === undefined || (pair.count === 0 && pair.stopped === null)) return [];
  const what = `it and ${nameOf(known, known.author)}`;
  const words = `the loop guard had counted ${pair.count}`;
  return [{ what, words: pair.stopped === null ? words : `${words} and stopped the two` }];
}

function window({ state, author, agent }: StateView): RememberedFact[] {
  const open = state.windows.find((one) => one.author === author);
  if (open === undefined || !open.addressed.some((entry) => entry.agent === agent)) return [];
  return [
    { what: 'the author was writing to it', words: `further lines until ${iso(open.until)} belong together` },
  ];
}

function ago(messages: number): string {
  return messages <= 0 ? 'just before' : `${messages} ${messages === 1 ? 'message' : 'messages'} before`;
}

function nameOf({ roster, state }: StateView, key: string): string {
  const speaker = state.speakers.find((one) => one.key === key);
  return roster.byKey.get(key)?.id ?? (speaker?.name || key);
}
