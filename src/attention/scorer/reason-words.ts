// What each feature says, in words. A sentence only tells what is so ("it spoke 3 messages ago"): whether that is a reason
// for or against is where it stands. Features of one group say the same thing in different ways.
import type { FeatureName } from './feature-names.ts';
import { type ReasonWords, ago, count, isOrNot, lately, row, since } from './reason-forms.ts';
import { NEVER } from './scales.ts';

export const REASON_OF: Record<FeatureName, ReasonWords> = {
  rule: row('exchange', (value) =>
    value === 2
      ? 'the agent spoke to the author last, who has not answered yet'
      : value === 1
        ? 'the author was talking to the agent'
        : value === 0
          ? 'the author is talking to nobody in particular'
          : 'the author is talking with somebody else',
  ),
  ruleAgo: row('exchange', since('the two spoke', 'the two are not in an exchange')),
  partnerAgo: row('exchange', since('the two spoke', 'they have not been talking')),
  owes: row('exchange', (value) =>
    value === 2
      ? 'the agent spoke last of the two'
      : value === 1
        ? 'the author spoke last of the two'
        : 'the author’s last partner is another',
  ),
  partnerSince: row('exchange', lately('the two were talking', 'the author’s last partner is another')),
  theirPartner: row('exchange', (value) =>
    value === 1
      ? 'the agent is talking with the author'
      : value === 0
        ? 'the agent is talking with nobody'
        : 'the agent is talking with somebody else',
  ),
  theirAgo: row('exchange', since('the agent was in an exchange', 'the agent is in no exchange')),
  toAuthorAgo: row(
    'spoke_to_author',
    ago('the agent spoke to the author', 'the agent has not spoken to the author lately'),
  ),
  toAuthorCount: row(
    'spoke_to_author',
    count(
      'the agent has spoken to the author once',
      'lines of the agent were to the author',
      'the agent has not spoken to the author lately',
    ),
  ),
  toAuthorAsks: row(
    'spoke_to_author',
    isOrNot('what the agent said to the author was a question', 'the agent has asked the author nothing'),
  ),
  toAuthorExplicit: row(
    'spoke_to_author',
    isOrNot('the agent had named the author', 'the agent had not named the author'),
  ),
  fromAuthorAgo: row(
    'spoken_to',
    ago('the author spoke to the agent', 'the author has not spoken to the agent lately'),
  ),
  fromAuthorCount: row(
    'spoken_to',
    count(
      'one line of the author was for the agent',
      'lines of the author were for the agent',
      'the author has not spoken to the agent lately',
    ),
  ),
  fromAuthorAsks: row(
    'spoken_to',
    isOrNot('the author had asked the agent something', 'the author has asked the agent nothing'),
  ),
  fromAuthorExplicit: row(
    'spoken_to',
    isOrNot('the author had named the agent before', 'the author has not named the agent lately'),
  ),
  theirLineAgo: row('heard_lately', ago('the agent spoke', 'the agent has not spoken lately')),
  theirCount: row(
    'heard_lately',
    count(
      'the agent has spoken once lately',
      'of the last lines are the agent’s',
      'the agent has not spoken lately',
    ),
  ),
  theirTo: row('heard_lately', (value) =>
    value === 1
      ? 'the agent’s last line was to the author'
      : value === 0
        ? 'the agent’s last line was to nobody'
        : 'the agent’s last line was to somebody else',
  ),
  theirAsks: row(
    'agent_asked',
    isOrNot('the agent’s last line was a question', 'the agent’s last line was no question'),
  ),
  theirYou: row(
    'agent_asked',
    isOrNot('the agent’s last line said “you”', 'the agent’s last line did not say “you”'),
  ),
  theirAnybody: row(
    'agent_asked',
    isOrNot('the agent’s last line was to everybody', 'the agent’s last line was not to everybody'),
  ),
  theirThanks: row(
    'agent_asked',
    isOrNot('the agent’s last line was thanks', 'the agent’s last line was no thanks'),
  ),
  theyAsked: row(
    'agent_asked',
    ago('the agent asked the room something', 'the agent has asked the room nothing'),
  ),
  theirHabit: row('habit', (value) => `the agent names whom it talks to in ${value} of 16 lines`),
  ownAgo: row('room', ago('the author spoke', 'the author has not spoken lately')),
  ownLines: row(
    'room',
    count(
      'the author has spoken once lately',
      'of the last lines are the author’s',
      'the author has not spoken lately',
    ),
  ),
  ownTargets: row(
    'room',
    count(
      'the author has talked to one lately',
      'are those the author has talked to lately',
      'the author has talked to nobody in particular lately',
    ),
  ),
  ownTo: row('spoken_to', (value) =>
    value === 1
      ? 'the author’s last line was for the agent'
      : value === 0
        ? 'the author’s last line was for nobody in particular'
        : 'the author’s last line was for somebody else',
  ),
  ownToBefore: row('spoken_to', (value) =>
    value === 1
      ? 'the author’s line before was for the agent'
      : value === 0
        ? 'the author’s line before was for nobody'
        : 'the author’s line before was for somebody else',
  ),
  ownToThem: row(
    'spoken_to',
    count(
      'one of the author’s last lines was for the agent',
      'of the author’s last lines were for the agent',
      'none of the author’s last lines was for the agent',
    ),
  ),
  ownToOther: row(
    'somebody_else',
    count(
      'one of the author’s last lines was for somebody else',
      'of the author’s last lines were for somebody else',
      'none of the author’s last lines was for somebody else',
    ),
  ),
  ownAsked: row(
    'question',
    isOrNot('the author had asked something', 'the author’s last line asked nothing'),
  ),
  ownExplicit: row(
    'habit',
    isOrNot('the author named somebody in the last line', 'the author named nobody in the last line'),
  ),
  ownSince: row(
    'spoken_to',
    count(
      'the author has said one line since the agent spoke to them',
      'lines the author has said since the agent spoke to them',
      'the author has said nothing since the agent spoke to them',
    ),
  ),
  between: row(
    'heard_lately',
    count(
      'one other has spoken since the agent',
      'others have spoken since the agent',
      'nobody else has spoken since the agent',
    ),
  ),
  answeredSince: row(
    'spoke_to_author',
    count(
      'the agent has spoken to the author once since their last line',
      'lines of the agent were to the author since their last line',
      'the agent has not spoken to the author since their last line',
    ),
  ),
  theirSince: row(
    'heard_lately',
    count(
      'the agent has spoken once since the author',
      'lines of the agent came after the author’s last',
      'the agent has not spoken since the author did',
    ),
  ),
  othersAnswered: row(
    'somebody_else',
    count(
      'somebody else has spoken to the author since their last line',
      'lines of others were for the author since their last',
      'nobody else has spoken to the author since their last line',
    ),
  ),
  othersMaybe: row(
    'room',
    count(
      'one line to nobody came in between',
      'lines to nobody came in between',
      'no line to nobody came in between',
    ),
  ),
  ownAskedAgo: row(
    'room',
    ago('the author asked the room something', 'the author has asked the room nothing'),
  ),
  theirsSinceAsked: row(
    'spoke_to_author',
    count(
      'the agent has spoken once since the author asked the room',
      'lines of the agent came after the author’s question to the room',
      'the agent has said nothing to a question of the author',
    ),
  ),
  otherAgo: row(
    'somebody_else',
    since('the author and somebody else spoke', 'the author has no other partner'),
  ),
  otherOwes: row('somebody_else', (value) =>
    value === 2
      ? 'somebody else spoke to the author last'
      : value === 1
        ? 'the author spoke to somebody else last'
        : 'the author has no other partner',
  ),
  rivalAgo: row(
    'somebody_else',
    ago('somebody else spoke to the author', 'nobody else has spoken to the author lately'),
  ),
  rivalExplicitAgo: row(
    'somebody_else',
    ago('somebody else named the author', 'nobody else has named the author lately'),
  ),
  rivals: row(
    'somebody_else',
    count(
      'one other has spoken to the author lately',
      'others have spoken to the author lately',
      'nobody else has spoken to the author lately',
    ),
  ),
  rivalsSince: row(
    'somebody_else',
    count(
      'one line of others was for the author since',
      'lines of others were for the author since',
      'nobody else has spoken to the author since',
    ),
  ),
  rivalLead: row('somebody_else', (value) =>
    value > 0
      ? 'somebody else spoke to the author after the agent did'
      : value < 0
        ? 'the agent spoke to the author after everybody else'
        : 'nobody has spoken to the author lately',
  ),
  otherLineAgo: row('room', ago('somebody else spoke', 'nobody else has spoken lately')),
  otherAsked: row('room', ago('somebody asked the room something', 'nobody has asked the room anything')),
  present: row('room', (value) => `${value} take part`),
  shared: row(
    'words',
    isOrNot('it takes up words of the agent’s last lines', 'it shares no word with the agent’s last lines'),
  ),
  sharedOwn: row('words', isOrNot('it takes up the author’s own words', 'the author begins something new')),
  sharedOther: row('words', isOrNot('it takes up words of somebody else', 'it shares no word with others')),
  sharedMore: row('words', (value) =>
    value > 0
      ? 'it shares more words with the agent than with anybody else'
      : value < 0
        ? 'it shares more words with somebody else'
        : 'it shares no more words with one than with another',
  ),
  toldWords: row('words', (value) =>
    value === 0 ? 'its words say little' : `${value} of its words say what it is about`,
  ),
  head: row('name', isOrNot('it begins as if it called somebody', 'it does not begin with a name')),
  headTheirs: row(
    'name',
    isOrNot('it begins with something like the agent’s name', 'it does not begin with the agent’s name'),
  ),
  headOther: row(
    'name',
    isOrNot(
      'it begins with something like somebody else’s name',
      'it does not begin with somebody else’s name',
    ),
  ),
  asks: row('question', isOrNot('it asks something', 'it asks nothing')),
  marked: row('question', isOrNot('it ends with a question mark', 'it does not end with a question mark')),
  you: row('you', isOrNot('it says “you”', 'it does not say “you”')),
  anybody: row('everybody', isOrNot('it speaks to everybody', 'it does not speak to everybody')),
  thanks: row('form', isOrNot('it thanks somebody', 'it is no thanks')),
  yesOrNo: row('form', isOrNot('it begins with yes or no', 'it does not begin with yes or no')),
  acknowledges: row('form', isOrNot('it acknowledges something', 'it acknowledges nothing')),
  laughs: row('form', isOrNot('it laughs or smiles', 'it neither laughs nor smiles')),
  greets: row('form', isOrNot('it greets', 'it is no greeting')),
  myself: row('form', isOrNot('the author speaks of themselves', 'the author does not speak of themselves')),
  link: row('form', isOrNot('it has a link', 'it has no link')),
  goesOn: row('form', isOrNot('it goes on from something', 'it does not go on from something')),
  tells: row('form', isOrNot('it tells somebody what to do', 'it tells nobody what to do')),
  trailsOff: row('form', isOrNot('it trails off', 'it does not trail off')),
  ends: row('form', isOrNot('it ends as a sentence does', 'it does not end as a sentence does')),
  command: row('form', isOrNot('it looks like a command', 'it is no command')),
  words: row('form', (value) =>
    value === 1 ? 'it is one word' : `it has ${value >= NEVER ? 'many' : value} words`,
  ),
  habit: row('habit', (value) => `the author names whom they talk to in ${value} of 16 lines`),
  said: row('habit', (value) =>
    value < 3 ? 'the author is new here' : 'the author has been here for a while',
  ),
  gap: row('time', lately('the line before was written', 'it is the first line')),
  namesOther: row('name', count('it names somebody else', 'others are named in it', 'it names nobody else')),
  pairAgo: row(
    'spoken_to',
    ago('one of the two spoke to the other', 'the two have not spoken to each other lately'),
  ),
  pairCount: row(
    'spoken_to',
    count(
      'one line went between the two',
      'lines went between the two',
      'the two have not spoken to each other lately',
    ),
  ),
  otherPairAgo: row(
    'somebody_else',
    ago('the author and another talked', 'the author has talked with nobody else lately'),
  ),
  otherPairCount: row(
    'somebody_else',
    count(
      'one line went between the author and others',
      'lines went between the author and others',
      'the author has talked with nobody else lately',
    ),
  ),
  pairLead: row('somebody_else', (value) =>
    value > 0
      ? 'the author talked with the agent later than with others'
      : value < 0
        ? 'the author talked with others later than with the agent'
        : 'the author has talked with nobody lately',
  ),
  pairShare: row(
    'spoken_to',
    (value) => `of the author’s talk lately ${value} of 16 lines are with the agent`,
  ),
  theirTargets: row('room', (value) => `the agent has talked to ${value === 0 ? 'nobody' : value} lately`),
  toThemAgo: row(
    'room',
    ago('somebody else spoke to the agent', 'nobody else has spoken to the agent lately'),
  ),
  toThemCount: row(
    'room',
    count(
      'one line of others was for the agent',
      'lines of others were for the agent',
      'nobody else has spoken to the agent lately',
    ),
  ),
  rivalAsksAgo: row(
    'somebody_else',
    ago('somebody else asked the author something', 'nobody else has asked the author anything'),
  ),
  theirOpenAnswered: row(
    'agent_asked',
    count(
      'the agent’s question to the room has one answer',
      'lines answered the agent’s question to the room',
      'the agent has no answered question to the room',
    ),
  ),
  roomExplicit: row('habit', (value) => `${value} of the last lines named whom they were for`),
  roomOpen: row('room', (value) => `${value} of the last lines were to nobody`),
  ownSpan: row('room', ago('the author began', 'the author has not spoken lately')),
  theirTime: row('time', lately('the agent spoke', 'the agent has not spoken before')),
  chars: row('form', (value) => (value < 10 ? 'it is short' : 'it is long')),
  rareAll: row('words', (value) =>
    value < 5 ? 'its words are everyday words' : 'its words say what it is about',
  ),
  sharedRare: row(
    'words',
    isOrNot(
      'it takes up rare words of the agent’s last lines',
      'it shares no rare word with the agent’s last lines',
    ),
  ),
  rareNew: row(
    'words',
    isOrNot(
      'it takes up rare words that the agent used last',
      'it shares no rare word with what the agent said last',
    ),
  ),
  rareShare: row('words', (value) => `${value} of 16 parts of what it says are in the agent’s last lines`),
  ownRare: row('words', isOrNot('it takes up rare words of the author', 'the author begins something new')),
  otherRare: row(
    'words',
    isOrNot('it takes up rare words of somebody else', 'it shares no rare word with others'),
  ),
  rareMore: row('words', (value) =>
    value > 0
      ? 'it shares rarer words with the agent than with anybody else'
      : value < 0
        ? 'it shares rarer words with somebody else'
        : 'it shares no rarer words with one than with another',
  ),
  since: row('time', lately('the author spoke', 'the author has not spoken before')),
};

/** The sentences of "toAuthorAgo=1 asks=1". What is not known any more is left out. */
export function reasonSentences(written: string): string[] {
  return written.split(' ').flatMap((one) => {
    const [feature = '', value = ''] = one.split('=');
    const known = Object.hasOwn(REASON_OF, feature) ? REASON_OF[feature as FeatureName] : undefined;
    return known === undefined ? [] : [known.words(Number(value))];
  });
}
