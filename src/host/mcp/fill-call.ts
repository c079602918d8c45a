// Fills in what a model left out of a call, from the turn it is in: where, in answer to what, who sees it. A call that no
// turn can complete is left as it is; the host then refuses it and names what is missing.
import type { ToolName } from '../../protocol/tool-name.ts';
import type { Arguments } from './call-keys.ts';

/** What a turn over MCP is about: the event that an answer goes to, and its place as `channel:general`. */
export interface TurnSubject {
  eventId: string;
  target: string;
}

export function fillCall(name: ToolName, given: Arguments, about: TurnSubject | undefined): Arguments {
  if (name === 'chat.send_message') return filledSend(given, about);
  return about === undefined ? given : (FILLED[name]?.(given, about) ?? given);
}

type Fill = (given: Arguments, about: TurnSubject) => Arguments;

const aboutEvent: Fill = (given, { eventId }) => ({ inReplyTo: eventId, ...given });
const atPlace: Fill = (given, { target }) => ({ target, ...given });
/** These take the event or the place, not both. */
const eventOrPlace: Fill = (given, about) =>
  given['target'] === undefined ? aboutEvent(given, about) : given;

const FILLED: Partial<Record<ToolName, Fill>> = {
  'chat.react': aboutEvent,
  'chat.defer': aboutEvent,
  'chat.read_thread': eventOrPlace,
  'chat.read_attachment': eventOrPlace,
  'chat.resolve': eventOrPlace,
  'chat.claim': eventOrPlace,
  'chat.disengage': atPlace,
  'chat.set_mode': atPlace,
  'chat.ask_permission': aboutEvent,
};

function filledSend(given: Arguments, about: TurnSubject | undefined): Arguments {
  const filled: Record<string, unknown> = { ...given };
  // A message that names another place answers nothing here.
  const isHere = given['target'] === undefined || given['target'] === about?.target;
  if (about !== undefined && isHere) {
    filled['inReplyTo'] ??= about.eventId;
    if (filled['inReplyTo'] === about.eventId) filled['target'] ??= about.target;
  }
  if (typeof filled['target'] === 'string') filled['visibility'] ??= visibilityOf(filled['target']);
  // An answer is for whoever is answered. Anything else obliges nobody unless it names a recipient.
  const asks = filled['inReplyTo'] !== undefined || filled['recipient'] !== undefined;
  filled['directedness'] ??= asks ? 'to_me' : 'ambient';
  return filled;
}

const VISIBILITY: Readonly<Record<string, string>> = { dm: 'dm', human: 'dm', agent: 'dm', thread: 'thread' };

function visibilityOf(target: string): string {
  return VISIBILITY[target.slice(0, target.indexOf(':'))] ?? 'channel';
}
