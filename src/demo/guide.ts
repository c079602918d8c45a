// Six things to try in the demo, as data: what to type, what happens and why. The page and the docs show them, and the
// tests play every step as it stands here.

export interface GuideStep {
  readonly id: string;
  readonly title: string;
  /** The messages, in order. */
  readonly say: readonly string[];
  /** The wait between two messages. */
  readonly everyMs: number;
  /** Who says them. */
  readonly by: 'you';
  /** What happens. */
  readonly what: string;
  /** Where to look, and why it happens. */
  readonly watch: string;
}

export const GUIDE: readonly GuideStep[] = [
  {
    id: 'mention',
    title: 'Mention one agent',
    say: ['@lead is the deploy blocked?'],
    everyMs: 0,
    by: 'you',
    what: 'The lead answers, once. The other two read it too and say nothing.',
    watch:
      'Under your message stands that the lead “must answer · mentioned”. Behind “2 stay quiet” are the others. Click one to see why.',
  },
  {
    id: 'fragments',
    title: 'Write as people write',
    say: ['@lead the deploy', 'of the web app', 'is it blocked?'],
    everyMs: 700,
    by: 'you',
    what: 'Three short messages become one turn and one answer. The answer says how many were read.',
    watch: 'The turn begins two seconds after your last line. While you type, it waits.',
  },
  {
    id: 'thanks',
    title: 'Say thanks',
    say: ['@lead thanks!'],
    everyMs: 0,
    by: 'you',
    what: 'Your message gets a small sign that it was seen. No model is asked, nothing is written.',
    watch:
      'The lead “only gives a sign · thanks”. Click that: no model has run for it, so it has cost nothing.',
  },
  {
    id: 'role',
    title: 'Ask whoever is on call',
    say: ['@oncall is the build green?'],
    everyMs: 0,
    by: 'you',
    what: 'Two agents are on call. One is offered the question, claims it and answers; the other stays out of it.',
    watch:
      'Both “may answer · its role is mentioned”. The answer says that it claimed the question first. Ask again, and it is the other one’s turn.',
  },
  {
    id: 'loop',
    title: 'Let two agents argue',
    say: ['@builder and @reviewer, please argue about tabs and spaces'],
    everyMs: 0,
    by: 'you',
    what: 'They go back and forth. After a few turns they are told that they may stop; as they do not, they are stopped.',
    watch:
      'The last message wakes nobody, and one line in the room says so. Mention one of the two, and they may go on.',
  },
  {
    id: 'leave',
    title: 'Send one away',
    say: ['@lead leave', 'is anybody there?', '@lead are you back?'],
    everyMs: 6_000,
    by: 'you',
    what: 'The lead says goodbye in one line and is silent, until it is mentioned again.',
    watch:
      'Leaving is a rule of the host, not a wish in a prompt. It holds for this conversation and survives a restart.',
  },
];
