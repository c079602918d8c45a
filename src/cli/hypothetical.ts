// Builds the hypothetical event of `earshot explain`. Missing fields are filled in, so that a text alone is enough.
// Given fields are checked like those of any other event.
import type { Replay } from '../attention/replay.ts';
import type { ChatEvent } from '../protocol/chat-event.ts';
import { isObject } from './complaint.ts';
import { parseEventLine } from './event-lines.ts';
import { CommandError } from './io.ts';

/** Long enough after the last event that no compose window is still open. */
const LATER_MS = 60_000;

export function hypotheticalEvent(text: string, replay: Replay): ChatEvent {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new CommandError(1, `--event: not valid JSON; write for example ${EXAMPLE}`);
  }
  if (!isObject(given) || Array.isArray(given)) {
    throw new CommandError(1, `--event: expected one JSON object; write for example ${EXAMPLE}`);
  }
  const line = JSON.stringify({ ...defaults(replay), ...given });
  const read = parseEventLine(line, 1);
  if (read.type === 'malformed') throw new CommandError(1, `--event: ${read.problem}`);
  return read.event;
}

const EXAMPLE = `--event '{"text":"@lead can you look at this?"}'`;

/** The most recently opened conversation of the state, or a new room. */
function defaults(replay: Replay): Record<string, unknown> {
  const { platform, workspaceId, conversation } = replay.snapshot().conversations.at(-1)?.place ?? {
    platform: 'web',
    workspaceId: 'local',
    conversation: { id: 'room', kind: 'channel' },
  };
  return {
    type: 'message',
    eventId: 'hypothetical',
    at: replay.now() + LATER_MS,
    platform,
    workspaceId,
    conversation,
    author: { id: 'somebody', kind: 'human' },
  };
}
