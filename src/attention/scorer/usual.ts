// What features usually are, where the scorer is asked: the medians of the training rooms. They make scoring faster
// (cuts.ts), and change no score. A feature that is not here is usually 0.
const USUAL: Readonly<Record<string, number>> = {
  ruleAgo: 40,
  partnerAgo: 40,
  otherAgo: 39,
  otherOwes: 1,
  partnerSince: 120,
  theirPartner: -1,
  theirAgo: 7,
  toAuthorAgo: 40,
  fromAuthorAgo: 40,
  theirLineAgo: 9,
  theirCount: 2,
  theirTo: -1,
  theyAsked: 40,
  theirHabit: 11,
  ownAgo: 7,
  ownLines: 2,
  ownTargets: 1,
  ownSince: 2,
  between: 5,
  othersMaybe: 1,
  ownAskedAgo: 40,
  rivalAgo: 40,
  rivalExplicitAgo: 40,
  otherLineAgo: 1,
  otherAsked: 8,
  present: 10,
  sharedOther: 1,
  toldWords: 3,
  words: 6,
  habit: 5,
  said: 5,
  since: 28,
  pairAgo: 40,
  otherPairAgo: 24,
  otherPairCount: 1,
  pairShare: 5,
  theirTargets: 1,
  toThemAgo: 16,
  toThemCount: 2,
  rivalAsksAgo: 40,
  roomExplicit: 14,
  roomOpen: 9,
  ownSpan: 16,
  theirTime: 29,
  chars: 8,
  rareAll: 10,
};

export const usualOf = (feature: string): number => USUAL[feature] ?? 0;

/** What does not depend on the candidate, so for the second of a line it is not ruled again. */
export const OF_LINE: ReadonlySet<string> = new Set(
  (
    'asks marked you anybody thanks yesOrNo acknowledges laughs greets myself link goesOn tells trailsOff ends command ' +
    'words toldWords chars rareAll habit said gap since ownAskedAgo ownAsked ownExplicit ownAgo ownLines ownTargets ' +
    'ownSpan present roomExplicit roomOpen'
  ).split(' '),
);
