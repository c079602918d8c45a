// A room of sixty messages in which four people talk about their three agents as much as with them: what is for an agent
// is heard, and little else starts a turn. Every agent answers whatever starts a turn of it. The room was written before
// the scorer knew names inside a line.
import { describe, expect, it } from 'vitest';
import { startsTurn } from '../../src/attention/index.ts';
import { type Room, room } from './room.ts';

/** `by> text`, with the agent it is for after a bar. */
const WRITTEN = `
ann> morning, the release notes are online
ben> saw them, the part about the billing export reads well
cat> lead wrote most of that, I only fixed the typos
dan> it even found the bug from last week
ann> @lead is the release still planned for thursday? | lead
ann> or did the audit move it? | lead
ben> I would ask tester about the audit, not lead
cat> tester was down all morning
dan> @tester are you back? | tester
dan> good, then I can go on
ann> builder seems slow today
ben> builder has the long queue, it is always like that on tuesdays
cat> ben: did you restart it yesterday?
ben> no, only the runner next to it
dan> cat: builder restarts by itself at night
cat> ah, I did not know that
ann> builder: which branch is building right now? | builder
ann> and how long will it take? | builder
ben> my guess is an hour
cat> lunch at noon?
dan> cat: yes, the usual place
ann> I trust builder more than that estimate
ben> fair
cat> @builder please build the hotfix after that | builder
dan> what do you all think of the new agents?
ann> lead is useful, tester talks too much
ben> haha, true, it greeted me twice
cat> I like that lead never pings at night
dan> my team wants one too, they asked how we set up lead
ann> dan: the guide is on the wiki, look for onboarding
dan> ann: found it, thanks
ben> @tester can you run the smoke tests on staging? | tester
ben> only the quick ones, please | tester
cat> the noodles were too spicy
dan> cat: you took the red sauce again
cat> dan: never again
ann> did tester ever find the reason for the flaky login?
ben> ann: yes, it was the clock, lead opened a ticket
ann> ben: great, which number?
ben> ann: 4711
cat> @lead who is on call this weekend? | lead
cat> so it is not me, good
dan> lead always picks me, I swear
ann> dan: it is a rotation, nobody picks anybody
dan> tell that to lead
ben> somebody should write down what builder does at night
cat> ben: there is a page about it
ben> cat: could you send me the link?
cat> ben: it is in the topic of the channel
ann> the customer from lyon sent flowers
dan> for lead or for us?
ann> for us, lead does not like flowers
ben> @lead put the invoice fix on the list | lead
cat> I wonder whether tester reads this
dan> it does, but it only answers when it is asked
ann> unlike you
dan> very funny
ben> tester: how many tests failed? | tester
cat> I will be off at four
ann> see you tomorrow
`;

interface Line {
  by: string;
  text: string;
  forAgent: string;
}

const ROOM: readonly Line[] = WRITTEN.trim()
  .split('\n')
  .map((line) => {
    const [, by = '', text = '', forAgent = ''] = /^(\w+)> (.*?)(?: \| (\w+))?$/.exec(line) ?? [];
    return { by, text, forAgent };
  });

const AGENTS = ['lead', 'builder', 'tester'];
/** More turns than these are a nuisance. */
const MOST_NEEDLESS = 4;

interface Played {
  /** What was taken for an agent's and is not. */
  needless: string[];
  missed: string[];
}

function played(r: Room): Played {
  const found: Played = { needless: [], missed: [] };
  for (const { by, text, forAgent } of ROOM) {
    const said = r.say(by, text);
    for (const agent of AGENTS) {
      const decision = said.of(agent);
      const starts = startsTurn(decision);
      const line = `${agent}: ${text}`;
      if (starts && agent !== forAgent) found.needless.push(line);
      if (decision.directedness !== 'to_me' && agent === forAgent) found.missed.push(line);
      if (starts) r.say(agent, 'Done, the details are in the ticket.', { inReplyTo: said });
    }
  }
  return found;
}

describe('a room in which people talk about agents', () => {
  it('has sixty messages, eleven of them for an agent', () => {
    expect(ROOM).toHaveLength(60);
    expect(ROOM.filter(({ forAgent }) => forAgent !== '')).toHaveLength(11);
    const about = ROOM.filter(({ text, forAgent }) => forAgent === '' && /lead|builder|tester/.test(text));
    expect(about.length).toBeGreaterThan(15);
  });

  it.each([5_000, 20_000, 120_000])(
    'wakes an agent at most four times for nothing, and misses nothing (a message every %i ms)',
    (stepMs) => {
      const { needless, missed } = played(room({ agents: AGENTS, stepMs }));
      expect(missed).toEqual([]);
      expect(needless.length, needless.join('\n')).toBeLessThanOrEqual(MOST_NEEDLESS);
    },
  );
});
