// A written room of sixty messages: four people, three agents, eighteen messages for an agent. Thirteen of those name
// it; five go on with what they were talking about, as people do, and name nobody. The other forty-two are for people,
// by a mention, by a reply, or for everybody. Beside it: rooms of the same kind, drawn from templates.
import { type Random, seededRandom } from '../../src/runtime/random.ts';
import { AGENTS, PEOPLE } from '../host/busy-room.ts';

/** `to`: whom it replies to, by the number of the line. `forAgent`: '' for people, or for nobody. */
export interface RoomLine {
  by: string;
  text: string;
  forAgent: string;
  to?: number;
}

/** `by> text`, with the agent it is for after a bar, or the number of the line it replies to after `^`. */
const WRITTEN = `
ada> good morning everybody
ben> morning!
carla> did anyone see the storm last night? ^0
dina> my cellar is full of water ^2
ben> @dina do you need a pump?
ada> @lead is the release still planned for today? | lead
ada> and who writes the notes? | lead
dina> @ben that would be great
ben> I can bring it at six ^7
carla> @builder can you build the hotfix branch? | builder
dina> perfect ^8
ben> @ada what did the customer from Lyon want?
ada> @ben a date for the invoice fix
dina> who ordered the coffee beans?
carla> @dina I did, on Monday
ada> @tester please run the smoke tests on staging | tester
ada> only the quick ones, please | tester
ben> the meeting moved to the small room
carla> again? ^17
ben> somebody booked the big one ^18
dina> @builder which version is on staging? | builder
carla> @ben you are a hero if you fix the grinder too
ben> haha no ^21
ada> @ben can you take the phone until eleven?
ben> @ada sure
carla> @lead who is on call this weekend? | lead
carla> and next weekend? | lead
dina> not me, I have a cellar to dry ^25
ben> fair enough ^27
ada> the insurance of @dina wants photos
dina> @ada forty of them, done
ben> @lead please put the invoice fix on the list | lead
carla> @dina take many
ada> lunch at the noodle place? ^17
ben> @ada yes, at half past
dina> @tester can you test the upload of large photos? | tester
dina> the page is slow for me | tester
carla> I come along ^33
ben> @dina mine is fast
ada> @carla take an umbrella
carla> @builder please look at the upload page | builder
ben> the noodles were too spicy ^33
ada> @ben you took the red sauce
dina> @carla is your bike here?
carla> @dina in the yard
ben> @builder is the branch merged? | builder
ada> @builder which commit was it? | builder
ben> @ada Lyon wrote a nice mail
ada> @ben forward it please
dina> @lead what is left before the release? | lead
carla> @ada I leave early today
ada> @carla enjoy
ben> @tester did the invoice tests pass? | tester
ben> and the upload? | tester
dina> the pump works ^8
ada> @lead can we release? | lead
carla> fingers crossed ^55
dina> @ben thank you for the pump
ben> @dina any time
ada> see you all tomorrow ^58
`;

export const ROOM: readonly RoomLine[] = WRITTEN.trim()
  .split('\n')
  .map((line) => {
    const [, by = '', rest = ''] = /^(\w+)> (.*)$/.exec(line) ?? [];
    const [, text = '', forAgent = '', to] = /^(.*?)(?: \| (\w+)| \^(\d+))?$/.exec(rest) ?? [];
    return { by, text, forAgent, ...(to === undefined ? {} : { to: Number(to) }) };
  });

const ASKS = ['can you check {thing}?', 'please restart {thing}', 'what is the state of {thing}?'];
const MORE = ['and how long will it take?', 'and since when?', 'only the log of today, please'];
const TALK = [
  'are you coming?',
  'I left it on your desk',
  'the {thing} looks fine to me',
  'that was a long day',
];
const THINGS = ['export', 'mail queue', 'login page', 'Lyon server'];

/** How often a line asks an agent, is followed by more, or names nobody at all. */
const SHARES = { ask: 0.25, more: 0.3, toNobody: 0.1 };

export function drawnLines(seed: number): RoomLine[] {
  const random = seededRandom(seed);
  const lines: RoomLine[] = [];
  while (lines.length < 60) {
    const by = pick(random, PEOPLE);
    const filled = (text: string): string => text.replace('{thing}', pick(random, THINGS));
    if (random.next() < SHARES.ask) {
      const forAgent = pick(random, AGENTS);
      lines.push({ by, text: `@${forAgent} ${filled(pick(random, ASKS))}`, forAgent });
      if (random.next() < SHARES.more && lines.length < 60)
        lines.push({ by, text: pick(random, MORE), forAgent });
      continue;
    }
    const others = PEOPLE.filter((person) => person !== by);
    const text = filled(pick(random, TALK));
    const draw = random.next();
    if (draw < SHARES.toNobody) lines.push({ by, text, forAgent: '' });
    else lines.push({ by, text: `@${pick(random, others)} ${text}`, forAgent: '' });
  }
  return lines;
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random.next() * list.length)] as T;
}
