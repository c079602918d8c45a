// Rooms of the preset `typeclaw` as its text describes them: one agent, toto, in a busy channel (several humans, so
// that the solo-human rule is out of the way) or in one human's own channel.
import { type Outcome, type Room, type RoomOptions, room } from '../attention/room.ts';

export function solo(options: RoomOptions = {}): Room {
  return room({ preset: 'typeclaw', agents: ['toto'], ...options });
}

/** Ann and ben have both spoken: two humans, nobody credited. */
export function busy(options: RoomOptions = {}): Room {
  const r = solo(options);
  r.say('ann', 'morning');
  r.say('ben', 'morning all');
  return r;
}

/** Toto answers something of this author, which gives the author a credit. */
export function credit(r: Room, author: string, agent = 'toto'): Outcome {
  const asked = r.say(author, 'the thing', { mentions: [agent] });
  return r.say(agent, 'here it is', { inReplyTo: asked });
}

/** The four-way decision for one agent. */
export function toldTo(outcome: Outcome, agent = 'toto'): string {
  return outcome.of(agent).decision;
}
