// Which parts of meaning together are which request. A clause's parts are looked up as one set: "stop" and "replying"
// ask to stop, "no need to" and "be quiet" ask to speak again, "don't" and "stop" ask for nothing here. A set that is
// not in the table is no request.

import type { ConversationMode } from '../../protocol/vocabulary.ts';
import { PART } from './words/requests/shape.ts';

/** `quieter` and `keener` move the dial by one notch and change no mode. */
export type RequestKind = 'leave' | 'stop' | 'mention_only' | 'auto' | 'follow' | 'quieter' | 'keener';
export type DialMove = Extract<RequestKind, 'quieter' | 'keener'>;

export const MODE_OF: Record<RequestKind, ConversationMode> = {
  leave: 'left',
  stop: 'mention_only',
  mention_only: 'mention_only',
  auto: 'auto',
  follow: 'follow',
  // Where the dial counts nothing, what comes closest.
  quieter: 'mention_only',
  keener: 'auto',
};

export interface RequestRow {
  kind: RequestKind;
  /** The kind when the verb is weak: "be quiet" stops, "silence" asks for quiet. */
  weakKind?: RequestKind;
  /** One of these must go along. */
  needs?: number;
  /** With a weak verb one of these must go along. */
  weakNeeds?: number;
  /** None of these may go along. */
  without?: number;
  /** True: nobody else can be meant, and nothing else. A number: so with one of these. */
  clear?: true | number;
  /** The verb may be about anything that was spoken of, so its sentence must say nothing else. */
  bare?: true;
  /** Counts only when the rest of the message says nothing of its own. */
  whole?: true;
  /** A question of this form asks whether, and requests nothing. */
  statement?: true;
}

const P = PART;

/** The parts that decide which request it is. The others only go along. */
export const MEANING =
  P.go |
  P.exit |
  P.stay |
  P.halt |
  P.cease |
  P.talk |
  P.hush |
  P.back |
  P.backTo |
  P.normal |
  P.follow |
  P.start |
  P.again |
  P.not |
  P.noNeed |
  P.only |
  P.mention |
  P.less |
  P.need |
  P.it;

const AWAY = { without: P.to | P.all, clear: P.place } as const;
const HERE = P.place | P.to;

const leave = (more: Partial<RequestRow> = {}): RequestRow => ({ kind: 'leave', ...AWAY, ...more });
const stop = (more: Partial<RequestRow> = {}): RequestRow => ({ kind: 'stop', clear: true, ...more });
const quiet = (more: Partial<RequestRow> = {}): RequestRow => ({
  kind: 'mention_only',
  clear: true,
  ...more,
});
const less = (more: Partial<RequestRow> = {}): RequestRow => ({ kind: 'quieter', clear: true, ...more });
const back = (more: Partial<RequestRow> = {}): RequestRow => ({ kind: 'auto', clear: true, ...more });

/** It is not about one message, one call or one document. */
const GENERALLY = P.more | P.place | P.to | P.all | P.now;

/** An agent may answer again, not: answer this again. */
const AGAIN = { needs: P.may | P.speak | P.all | P.before | P.start } as const;

export const REQUESTS: ReadonlyMap<number, RequestRow> = new Map([
  [P.go, leave()],
  [P.exit, leave({ needs: P.place })],
  [P.noNeed | P.stay, leave({ needs: P.place, clear: true })],
  [P.noNeed | P.stay | P.go, leave({ needs: P.place, clear: true })],
  [P.not | P.stay, leave({ needs: P.place })],

  [P.halt, stop({ clear: 0, bare: true, without: P.to | P.all | P.while })],
  [P.halt | P.it, stop({ clear: 0, bare: true, whole: true })],
  [P.halt | P.talk, stop()],
  [P.halt | P.talk | P.it, stop()],
  [P.cease | P.talk, stop()],
  [P.not | P.talk, stop({ weakNeeds: GENERALLY })],
  [P.not | P.talk | P.halt, stop()],
  [P.noNeed | P.talk, stop({ needs: P.more | P.place | P.all })],
  [P.noNeed | P.talk | P.halt, stop()],

  [P.hush, stop({ weakKind: 'mention_only', clear: P.place })],
  [P.hush | P.halt, stop({ clear: P.place })],
  [P.hush | P.again, stop({ clear: P.place })],
  [P.hush | P.talk | P.not, stop()],

  [P.hush | P.talk | P.less, less()],
  [P.hush | P.less, less()],
  [P.hush | P.less | P.again, less()],
  [P.hush | P.mention, quiet()],
  [P.hush | P.mention | P.only, quiet()],
  [P.hush | P.mention | P.only | P.talk, quiet()],
  [P.only | P.mention, quiet({ clear: P.asks | P.please | P.place })],
  [P.only | P.mention | P.talk, quiet()],
  [P.only | P.mention | P.talk | P.not, quiet()],
  [P.only | P.mention | P.talk | P.noNeed, quiet()],
  [P.only | P.mention | P.talk | P.halt, quiet()],
  [P.mention | P.talk | P.not, quiet()],
  [P.mention | P.talk | P.noNeed, quiet()],
  [P.mention | P.talk | P.halt, quiet()],
  [P.mention | P.talk | P.cease, quiet()],
  [P.less | P.talk, less({ weakNeeds: GENERALLY })],
  [P.less | P.talk | P.not, less({ weakNeeds: GENERALLY })],
  [P.less | P.talk | P.halt, less()],
  [P.less | P.talk | P.cease, less()],
  [P.less | P.talk | P.noNeed, less({ weakNeeds: GENERALLY })],

  [P.back, back({ clear: HERE, without: P.all })],
  [P.back | P.again, back({ clear: HERE, without: P.all })],
  [P.back | P.talk, back()],
  [P.back | P.talk | P.again, back()],
  [P.backTo, back({ needs: HERE })],
  [P.backTo | P.again, back({ needs: HERE })],
  [P.back | P.start, back({ needs: HERE })],
  [P.back | P.start | P.talk, back()],
  [P.back | P.start | P.talk | P.again, back()],
  [P.normal, back()],
  [P.normal | P.again, back()],
  [P.normal | P.back, back()],
  [P.normal | P.start, back()],
  [P.normal | P.talk, back()],
  [P.normal | P.talk | P.again, back()],
  [P.talk, back({ needs: P.may | P.before, clear: P.before, statement: true })],
  [P.talk | P.again, back(AGAIN)],
  [P.talk | P.start, back({ clear: P.all })],
  [P.talk | P.start | P.again, back()],
  [P.noNeed | P.hush, back()],
  [P.noNeed | P.hush | P.less, back()],
  [P.noNeed | P.hush | P.talk, back()],
  [P.not | P.hush, back({ clear: P.asks })],
  [P.need | P.again, back()],
  [P.need | P.back, back()],
  [P.need | P.back | P.again, back()],
  [P.halt | P.follow, back()],
  [P.follow | P.again, back()],
  [P.cease | P.follow, back()],
  [P.not | P.follow, back()],

  [P.follow, { kind: 'follow', whole: true, clear: P.place }],
]);

/** With a word that says more: "chime in more often". A negation asks for less, so it is not here. */
export const MORE_REQUESTS: ReadonlyMap<number, RequestRow> = new Map([
  [P.talk, { kind: 'keener', clear: true }],
  [P.talk | P.start, { kind: 'keener', clear: true }],
  [P.talk | P.again, { kind: 'keener', clear: true }],
  [P.hush, less()],
]);
