// The table of rules that decide a message's intent. The first match wins. An intent that silences or interrupts needs
// the whole message or an unmistakable marker: a question mark, a request or one unlisted word is enough to rule out
// thanks, ack, leave, stop and cancel.

import type { AuthorKind, Intent } from '../../protocol/vocabulary.ts';
import { isBotLine, startsWithTag } from './bot-line.ts';
import { type TextReading, UNLISTED } from './read.ts';
import { BREAK } from './tokenize.ts';
import { ROLE } from './words/shape.ts';

export interface Message {
  folded: string;
  authorKind: AuthorKind;
  reading: TextReading;
}

/** A message that only says thanks, or only "leave", is never longer than this (in tokens; in CJK, characters). */
const MAX_SOCIAL_SIZE = 40;
const MAX_STATUS_SIZE = 60;

const SOCIAL =
  ROLE.thanks | ROLE.ack | ROLE.praise | ROLE.yes | ROLE.filler | ROLE.glue | ROLE.joiner | ROLE.closer;
const AROUND_COMMAND = ROLE.filler | ROLE.please | ROLE.thanks | ROLE.ack | ROLE.yes | ROLE.no | ROLE.closer;
const MODES = ROLE.follow | ROLE.mentionOnly | ROLE.auto;
const DECISION = ROLE.approve | ROLE.reject;

export const RULES: readonly { intent: Intent; when: (message: Message) => boolean }[] = [
  { intent: 'safety', when: ({ reading }) => has(reading, ROLE.safety) },
  { intent: 'leave', when: ({ reading }) => commands(reading, ROLE.leave) },
  { intent: 'mode_change', when: ({ reading }) => commands(reading, MODES, ROLE.stop) },
  { intent: 'stop', when: ({ reading }) => commands(reading, ROLE.stop, ROLE.cancel) },
  { intent: 'cancel', when: ({ reading }) => commands(reading, ROLE.cancel) },
  { intent: 'urgent', when: ({ reading }) => has(reading, ROLE.urgent) },
  { intent: 'blocker', when: ({ reading }) => has(reading, ROLE.blocker) },
  { intent: 'rejection', when: ({ reading }) => decides(reading, ROLE.reject) },
  { intent: 'approval', when: ({ reading }) => decides(reading, ROLE.approve) },
  { intent: 'thanks', when: ({ reading }) => isSocial(reading) && has(reading, ROLE.thanks) },
  {
    intent: 'ack',
    when: ({ reading }) => isSocial(reading) && has(reading, ROLE.ack | ROLE.praise | ROLE.yes),
  },
  { intent: 'status', when: ({ folded }) => isBotLine(folded) },
  {
    intent: 'question',
    when: ({ reading }) => has(reading, ROLE.ask) || (reading.asked && opensAsking(reading)),
  },
  { intent: 'request', when: ({ reading }) => has(reading, ROLE.request) },
  { intent: 'question', when: ({ reading }) => asks(reading) },
  { intent: 'request', when: ({ reading }) => has(reading, ROLE.please) || orders(reading) },
  { intent: 'status', when: reports },
  { intent: 'status', when: ({ authorKind }) => authorKind === 'system' },
];

export function has(reading: TextReading, roles: number): boolean {
  return (reading.any & roles) !== 0;
}

/** A question by its mark, its opening or its ending. */
export function asks(reading: TextReading): boolean {
  return reading.asked || (reading.placed & (ROLE.askOpening | ROLE.askFinal)) !== 0;
}

/** "how long is it and can you eat there?" is still a question. */
function opensAsking(reading: TextReading): boolean {
  return (reading.lead & ROLE.askOpening) !== 0;
}

export function orders(reading: TextReading): boolean {
  return (reading.placed & (ROLE.imperative | ROLE.nounVerb)) !== 0;
}

/** Leave, stop, cancel, modes: the message has the command, politeness and nothing else, no object and no pronoun. */
function commands(reading: TextReading, core: number, also = 0): boolean {
  if (!has(reading, core)) return false;
  // "can you leave?" is a polite request. "stop?" is a question.
  if (reading.asked && !has(reading, ROLE.request)) return false;
  return isWhole(reading, core | also | AROUND_COMMAND);
}

/** "lgtm, ship it": a clear decision, nothing else, and not its opposite as well. */
function decides(reading: TextReading, core: number): boolean {
  if (!has(reading, core) || has(reading, DECISION & ~core) || reading.asked) return false;
  const opposite = core === ROLE.approve ? 0 : ROLE.no;
  return isWhole(reading, core | SOCIAL | opposite);
}

function isSocial(reading: TextReading): boolean {
  if (asks(reading) || orders(reading) || has(reading, ROLE.ask | ROLE.request | ROLE.contrast)) return false;
  return isWhole(reading, SOCIAL);
}

/** Every unit has one of the roles, or is a thanked thing after its joiner. */
export function isWhole(reading: TextReading, roles: number): boolean {
  const { units, breaks, size } = reading;
  if (size > MAX_SOCIAL_SIZE || units.length === 0) return false;
  let before = 0;
  for (let i = 0; i < units.length; i++) {
    const unit = units[i] ?? UNLISTED;
    if (unit === UNLISTED) return false;
    if ((unit & roles) === 0) {
      const thanked = (unit & ROLE.thanked) !== 0 && (roles & ROLE.joiner) !== 0;
      if (!thanked || (before & (ROLE.joiner | ROLE.thanked)) === 0 || breaks[i] !== BREAK.none) return false;
    }
    before = unit;
  }
  return true;
}

/** A report by its words. The rules for questions and requests come first, so it is neither. */
function reports({ folded, reading }: Message): boolean {
  if (has(reading, ROLE.contrast) || reading.size > MAX_STATUS_SIZE) return false;
  if (has(reading, ROLE.status) || (reading.placed & ROLE.label) !== 0) return true;
  return has(reading, ROLE.label) && startsWithTag(folded);
}
