// The shape of a language file: one comma-separated list of folded words per role. `{a|b|} c` stands for "a c", "b c" and
// "c". In a language without spaces entries are matched by characters, the longest first.
// Invariant: a role that silences or interrupts lists whole utterances or unmistakable words, never a common verb alone.

/** Each role has a bit. A word or phrase has the bits of all roles under which it is listed. */
export const ROLE = {
  // Social words: a message made of nothing else is thanks or ack.
  thanks: 1 << 0,
  ack: 1 << 1,
  /** "great job": counts as an ack, never as consent. */
  praise: 1 << 2,
  /** Consent when the agent has just asked; otherwise an ack. */
  yes: 1 << 3,
  no: 1 << 4,
  /** Politeness, interjections, greetings. Rules about the whole message ignore them. */
  filler: 1 << 5,
  /** "it", "was", "you": allowed in thanks and acks, never in cancel. */
  glue: 1 << 6,
  /** "for", "your", "the": glue that may introduce a thanked thing. */
  joiner: 1 << 7,
  /** "help", "the update": only after a joiner, so "thanks, help me" stays a request. */
  thanked: 1 << 8,
  /** "that's all", "bye". */
  closer: 1 << 9,

  // Whole-message commands. Requests to leave, stop, be quiet or come back have lists of their own (requests/shape.ts).
  cancel: 1 << 12,
  /** "found it": says why something is cancelled. Alone it cancels nothing. */
  solved: 1 << 11,
  approve: 1 << 16,
  reject: 1 << 17,

  // Asking and requesting.
  /** Asks when it opens a sentence: "what", "is it". */
  askOpening: 1 << 18,
  /** Asks anywhere: "do you know", 怎么. */
  ask: 1 << 19,
  /** Asks when it ends a sentence: か, 吗, "or not". */
  askFinal: 1 << 20,
  /** Asks when it ends a sentence after a comma: ", right". Without one it tells: "that's right". */
  askTag: 1 << 10,
  /** Requests even with a question mark: "can you". */
  request: 1 << 21,
  /** Requests unless the sentence is a question: "please", ください. */
  please: 1 << 22,
  /** Requests when it opens a clause: "open". */
  imperative: 1 << 23,
  /** Like imperative, but also a noun: needs an object ("test the build", not "test passed"). */
  nounVerb: 1 << 24,

  // Interrupting, and reporting.
  urgent: 1 << 25,
  safety: 1 << 26,
  blocker: 1 << 27,
  status: 1 << 28,
  /** A report when a colon follows: "change merged:". */
  label: 1 << 29,
  /** "let me know if you need anything": asks nothing. */
  offer: 1 << 30,
  /** "but": the words after it count, so the message is no thanks and no status. */
  contrast: 1 << 31,
  /** Listed so that its words are not read one by one: "not urgent", "leave it". */
  neutral: 0,
} as const;

export type Role = keyof typeof ROLE;

export interface IntentWords extends Partial<Record<Role, string>> {
  /** Words that ask how far things are. They are no role: they count only in a message that asks (intent.ts). */
  asksStatus?: string;
  /** Words that ask to wait. No role either: only an agent's own message is read for them (patience.ts). */
  patience?: string;
}
