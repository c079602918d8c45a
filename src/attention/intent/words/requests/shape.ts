// The shape of a language's words for requests to the agent itself: leave, stop, be quiet, come back, follow along. A
// list gives its entries a part of meaning, and request-table.ts says which parts together are which request. The
// notation is that of the other word lists: `{a|b|} c`, comma-separated, folded.
// Invariant: a clause is a request only if every one of its words is listed, so a list may be generous with politeness
// and places and must be strict with verbs.

/** Parts of meaning. An entry has the bits of all lists in which it stands. */
export const PART = {
  /** "leave": go from here. */
  go: 1 << 0,
  /** Leaves only with a place: "exit this channel". */
  exit: 1 << 1,
  stay: 1 << 2,
  /** "stop", by itself a command. */
  halt: 1 << 3,
  /** Stops only with a verb of talking: "quit replying". */
  cease: 1 << 4,
  /** "reply", "post": what an agent does in chat. */
  talk: 1 << 5,
  /** "speak", "join in": talking in general, never one answer. */
  speak: 1 << 6,
  /** "be quiet". */
  hush: 1 << 7,
  /** "come back". */
  back: 1 << 8,
  /** Comes back only with a place: "return to this channel". */
  backTo: 1 << 9,
  /** "back to normal": a mode by its name. */
  normal: 1 << 10,
  follow: 1 << 11,
  /** "start", "resume", before a verb of talking. */
  start: 1 << 12,
  again: 1 << 13,
  /** "as before". */
  before: 1 << 14,
  not: 1 << 15,
  /** "no need to". */
  noNeed: 1 << 16,
  only: 1 << 17,
  /** "when I mention you", "unless tagged". */
  mention: 1 << 18,
  less: 1 << 19,
  /** "we need you". */
  need: 1 << 20,
  /** "it", "that": after a verb it may be anything that was spoken of. */
  it: 1 << 21,

  // What goes along. These never change which request it is, but whether it is one.
  /** "this channel", "here", "from the thread". */
  place: 1 << 22,
  /** "to this channel", "to us": where or to whom an agent talks or comes back. */
  to: 1 << 23,
  /** "any more". */
  more: 1 << 24,
  /** "to every message". */
  all: 1 << 25,
  /** "you can": permission. */
  may: 1 << 26,
  /** "can you", "I want you to". */
  asks: 1 << 27,
  please: 1 << 28,
  /** The form needs a frame: "leaving" after "would you mind". */
  framed: 1 << 29,
  /** Says "it is so now": 了. A request only after a permission or a negation. */
  now: 1 << 30,
  /** "for a bit". */
  while: 1 << 31,
} as const;

/** What a word does in a sentence, beside or instead of its part of meaning. */
export const JOB = {
  /** Goes along with a request and adds nothing: "for now", "I think". */
  around: 1 << 0,
  /** Begins another clause: "and", "but". */
  splits: 1 << 1,
  /** Begins the reason: "because". */
  because: 1 << 2,
  /** Ends the clause it stands in: ので. */
  ends: 1 << 3,
  /** Makes everything in its sentence depend on something: "if", "when". */
  if: 1 << 4,
  /** What follows are somebody's words: "he said". */
  said: 1 << 5,
  /** Says why an agent should go or be silent, or come back: "spam", "in private", "by mistake". */
  context: 1 << 6,
  /** Opens a sentence about the speakers or the situation, which asks nothing: "we", "this is". */
  reason: 1 << 7,
  /** Asks for consent at the end: "ok?". */
  tag: 1 << 8,
  /** Makes its sentence a question: 吗. */
  question: 1 << 12,
  /** The request needs no further sign of whom it means: "we don't need you here". */
  clear: 1 << 9,
  /** Never part of a request: "non stop". */
  never: 1 << 10,
  /** Calls the agent: "I mention you". After a condition it is `mention`. */
  calls: 1 << 13,
  /** May stand inside another entry: "hör bitte auf". */
  skips: 1 << 14,
  /** A word that is often something else: "leave", "quiet". It needs politeness, or nothing else in its sentence. */
  weak: 1 << 11,
  /** "more often", "less often": of talking, whatever the verb. */
  oftener: 1 << 15,
  /** "more": of talking only where it says where, because "talk more" may also mean: go on. */
  moreOf: 1 << 16,
} as const;

export type Part = keyof typeof PART;
export type Job = keyof typeof JOB;

/** Lists whose entries have several bits. */
export const COMPOUND = {
  /** "we don't need you": asks to leave. */
  unneeded: { parts: PART.go, jobs: JOB.clear },
  /** "leave", beside "go away". */
  goWeak: { parts: PART.go, jobs: JOB.weak },
  /** "quiet", beside "be quiet". */
  hushWeak: { parts: PART.hush, jobs: JOB.weak },
  /** "answer", beside "reply": one also answers calls, and writes documents. */
  talkWeak: { parts: PART.talk, jobs: JOB.weak },
  /** "vuelve a": comes back, or does again. */
  backOrStart: { parts: PART.back | PART.start, jobs: 0 },
  /** "leaving". */
  going: { parts: PART.go | PART.framed, jobs: 0 },
  exiting: { parts: PART.exit | PART.framed, jobs: 0 },
  halting: { parts: PART.halt | PART.framed, jobs: 0 },
  ceasing: { parts: PART.cease | PART.framed, jobs: 0 },
  talking: { parts: PART.talk | PART.framed, jobs: 0 },
  speaking: { parts: PART.speak | PART.framed, jobs: 0 },
  hushing: { parts: PART.hush | PART.framed, jobs: 0 },
  returning: { parts: PART.back | PART.framed, jobs: 0 },
  returningTo: { parts: PART.backTo | PART.framed, jobs: 0 },
  /** "stop it". */
  haltIt: { parts: PART.halt | PART.it, jobs: 0 },
  /** 返信しないで: the negation is part of the verb. */
  noTalk: { parts: PART.not | PART.talk, jobs: 0 },
  /** "unless mentioned", "mentions only". */
  onlyMention: { parts: PART.only | PART.mention, jobs: 0 },
  /** "puedes": asks and permits. */
  mayAsk: { parts: PART.may | PART.asks, jobs: 0 },
  /** "could you not". */
  askNot: { parts: PART.asks | PART.not, jobs: 0 },
  /** 全部に返事しなくていい: "you need not answer". */
  needNotTalk: { parts: PART.noNeed | PART.talk, jobs: 0 },
  needNotHush: { parts: PART.noNeed | PART.hush, jobs: 0 },
  /** "be quieter": less of it, not none. */
  quieter: { parts: PART.hush | PART.less, jobs: 0 },
  quieting: { parts: PART.hush | PART.less | PART.framed, jobs: 0 },
  /** "be more active", "chime in more". */
  keener: { parts: PART.speak, jobs: JOB.oftener | JOB.clear },
  keening: { parts: PART.speak | PART.framed, jobs: JOB.oftener | JOB.clear },
  /** "less often". */
  lessOften: { parts: PART.less, jobs: JOB.oftener },
  /** "dich so oft einzumischen": the verb has it inside. */
  talkingMuch: { parts: PART.talk | PART.less | PART.framed, jobs: JOB.oftener },
  /** "so often": after a negation it asks for less. */
  soMuch: { parts: PART.less | PART.all, jobs: JOB.oftener },
  needNotStay: { parts: PART.noNeed | PART.stay | PART.place, jobs: 0 },
} as const;

export type RequestWords = Partial<Record<Part | Job | keyof typeof COMPOUND, string>>;
