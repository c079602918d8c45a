// What the last lines say of the author and one candidate: who said what to whom, and what others said. One pass from
// the newest line to the oldest, because every line without a sign is weighed for each agent that was heard lately.
import type { AttentionState, Line, Speaker } from '../state.ts';
import { Distinct } from './distinct.ts';
import { FEATURE } from './feature-names.ts';
import { LINE_FORM } from './line.ts';
import { NEVER, has } from './scales.ts';

/** What counts as lately, in lines. */
const LATELY = 12;
/** Of an author's own last lines. */
const OWN_LINES = 4;
/** Nothing is known: a third of all lines, in sixteenths. */
const UNKNOWN_SHARE = 5;

// One for all lines: they are filled and counted without waiting.
const theirTargets = new Distinct();
const between = new Distinct();
const rivals = new Distinct();

/** Author and candidate are two. `other` is the candidate, as a speaker. */
export function lineFeatures(
  to: number[],
  { lines, n }: AttentionState,
  author: string,
  key: string,
  other: Speaker | undefined,
): void {
  const ownAskedAgo = to[FEATURE.ownAskedAgo] ?? NEVER;
  const theyAsked = other === undefined || other.askedN === 0 ? 0 : n - other.askedN;
  // The candidate's lines.
  let theirAgo = NEVER;
  let toAuthorAgo = NEVER;
  let theirCount = 0;
  let toAuthorCount = 0;
  let theirSince = 0;
  let answeredSince = 0;
  let sinceAsked = 0;
  theirTargets.clear();
  // The author's.
  let own = 0;
  let ownToThem = 0;
  let ownToOther = 0;
  let ownSince = 0;
  let fromAuthorAgo = NEVER;
  let fromAuthorCount = 0;
  // Those of others.
  let otherAgo = NEVER;
  let rivalAgo = NEVER;
  let rivalExplicitAgo = NEVER;
  let rivalsSince = 0;
  let answered = 0;
  let maybe = 0;
  let toThemAgo = NEVER;
  let toThemCount = 0;
  let openAnswered = 0;
  between.clear();
  rivals.clear();
  // Between the two, and between the author and others.
  let pairAgo = NEVER;
  let pairs = 0;
  let otherPairAgo = NEVER;
  let others = 0;
  let rivalAsksAgo = NEVER;

  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (line === undefined) break;
    const ago = i + 1;
    if (line.author === author) {
      own++;
      const aim = aimOf(line, key);
      if (own === 1) to[FEATURE.ownTo] = aim;
      else if (own === 2) to[FEATURE.ownToBefore] = aim;
      if (toAuthorAgo === NEVER) ownSince++;
      if (aim === 0) continue;
      if (aim < 0) {
        if (own <= OWN_LINES) ownToOther++;
        others++;
        if (otherPairAgo === NEVER) otherPairAgo = ago;
        continue;
      }
      if (own <= OWN_LINES) ownToThem++;
      if (i < theyAsked) openAnswered++;
      pairs++;
      if (pairAgo === NEVER) pairAgo = ago;
      fromAuthorCount++;
      if (fromAuthorAgo !== NEVER) continue;
      fromAuthorAgo = ago;
      to[FEATURE.fromAuthorAsks] = has(line, LINE_FORM.asks);
      to[FEATURE.fromAuthorExplicit] = has(line, LINE_FORM.explicit);
    } else if (line.author === key) {
      const aim = aimOf(line, author);
      theirCount++;
      if (own === 0) theirSince++;
      if (ago < ownAskedAgo && aim >= 0) sinceAsked++;
      if (theirAgo === NEVER) {
        theirAgo = ago;
        to[FEATURE.theirTo] = aim;
        to[FEATURE.theirAsks] = has(line, LINE_FORM.asks);
        to[FEATURE.theirYou] = has(line, LINE_FORM.you);
        to[FEATURE.theirAnybody] = has(line, LINE_FORM.anybody);
        to[FEATURE.theirThanks] = has(line, LINE_FORM.thanks);
      }
      if (aim !== 0) theirTargets.add(line.to);
      if (aim <= 0) continue;
      toAuthorCount++;
      if (own === 0) answeredSince++;
      pairs++;
      if (pairAgo === NEVER) pairAgo = ago;
      if (toAuthorAgo !== NEVER) continue;
      toAuthorAgo = ago;
      to[FEATURE.toAuthorAsks] = has(line, LINE_FORM.asks);
      to[FEATURE.toAuthorExplicit] = has(line, LINE_FORM.explicit);
    } else {
      if (otherAgo === NEVER) otherAgo = ago;
      if (theirAgo === NEVER) between.add(line.author);
      if (line.to === '') {
        if (own === 0) maybe++;
      } else if (line.to === author) {
        if (own === 0) answered++;
        if (rivalAgo === NEVER) rivalAgo = ago;
        if (rivalExplicitAgo === NEVER && has(line, LINE_FORM.explicit) === 1) rivalExplicitAgo = ago;
        if (ago <= LATELY) rivals.add(line.author);
        if (toAuthorAgo === NEVER) rivalsSince++;
        others++;
        if (otherPairAgo === NEVER) otherPairAgo = ago;
        if (rivalAsksAgo === NEVER && has(line, LINE_FORM.asks) === 1) rivalAsksAgo = ago;
      } else if (line.to === key) {
        if (i < theyAsked) openAnswered++;
        toThemCount++;
        if (toThemAgo === NEVER) toThemAgo = ago;
      }
    }
  }

  to[FEATURE.theirLineAgo] = theirAgo;
  to[FEATURE.theirCount] = theirCount;
  to[FEATURE.toAuthorAgo] = toAuthorAgo;
  to[FEATURE.toAuthorCount] = toAuthorCount;
  to[FEATURE.theirSince] = theirSince;
  to[FEATURE.answeredSince] = answeredSince;
  to[FEATURE.theirsSinceAsked] = sinceAsked;
  to[FEATURE.theirTargets] = theirTargets.count;

  to[FEATURE.ownToThem] = ownToThem;
  to[FEATURE.ownToOther] = ownToOther;
  to[FEATURE.ownSince] = ownSince;
  to[FEATURE.fromAuthorAgo] = fromAuthorAgo;
  to[FEATURE.fromAuthorCount] = fromAuthorCount;

  to[FEATURE.otherLineAgo] = otherAgo;
  to[FEATURE.between] = between.count;
  to[FEATURE.othersMaybe] = maybe;
  to[FEATURE.othersAnswered] = answered;
  to[FEATURE.rivalAgo] = rivalAgo;
  to[FEATURE.rivalExplicitAgo] = rivalExplicitAgo;
  to[FEATURE.rivals] = rivals.count;
  to[FEATURE.rivalsSince] = rivalsSince;
  to[FEATURE.rivalLead] = Math.max(-NEVER, Math.min(NEVER, toAuthorAgo - rivalAgo));
  to[FEATURE.toThemAgo] = toThemAgo;
  to[FEATURE.toThemCount] = toThemCount;
  to[FEATURE.theirOpenAnswered] = openAnswered;

  to[FEATURE.pairAgo] = pairAgo;
  to[FEATURE.pairCount] = pairs;
  to[FEATURE.otherPairAgo] = otherPairAgo;
  to[FEATURE.otherPairCount] = others;
  to[FEATURE.pairLead] = otherPairAgo - pairAgo;
  to[FEATURE.pairShare] = pairs + others === 0 ? UNKNOWN_SHARE : Math.floor((16 * pairs) / (pairs + others));
  to[FEATURE.rivalAsksAgo] = rivalAsksAgo;
}

/** 1 to them, 0 to nobody, -1 to somebody else. */
function aimOf({ to }: Line, them: string): number {
  if (to === '') return 0;
  return to === them ? 1 : -1;
}
