// What the complaints have in common: rooms with several people and agents, and the question whether a turn starts.
import { startsTurn } from '../../src/attention/index.ts';
import { type Outcome, type Room, type RoomOptions, room } from '../attention/room.ts';

/** Three people who have all spoken; nova, otto and iris listen. */
export function team(options: RoomOptions = {}): Room {
  const r = room({ membership: { humans: 3 }, ...options });
  for (const who of ['ann', 'ben', 'cat']) r.say(who, 'good morning');
  return r;
}

/** Ids of the agents for which this starts a turn: what costs money and may end in a post. */
export function woken(outcome: Outcome): string[] {
  return Object.values(outcome.decisions)
    .filter((decision) => decision !== undefined && startsTurn(decision))
    .map((decision) => decision?.agent ?? '');
}

/** Two agents in conversation: nova and otto mention each other in turn until nobody is woken or `max` is reached. */
export function pingPong(r: Room, max: number, text: (round: number) => string, after = 0): Outcome[] {
  const said: Outcome[] = [];
  for (let round = 0; round < max; round++) {
    const [from, to] = round % 2 === 0 ? ['nova', 'otto'] : ['otto', 'nova'];
    const outcome = r.say(from, text(round), { mentions: [to], after });
    said.push(outcome);
    if (!woken(outcome).includes(to)) break;
  }
  return said;
}
