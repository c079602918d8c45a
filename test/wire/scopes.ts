// The places where the tests of ids say "42": each is a scope of its own, so each 42 is an event of its own.
import type { ChatEvent } from '../../src/protocol/chat-event.ts';
import type { Line, WireHost } from './host.ts';

const LINES = {
  'a room': { in: 'general' },
  'another room': { in: 'random' },
  'another workspace': { in: 'general', more: { workspaceId: 'w2' } },
  'another platform': { in: 'general', more: { platform: 'irc' } },
  'a thread of the room': { in: 't1', thread: 'general' },
} satisfies Record<string, Line>;
export type Scope = keyof typeof LINES;
export const SCOPES = Object.keys(LINES) as Scope[];

/** The message that its source calls 42, there. `more` makes something else of it. */
export function forty2(wire: WireHost, scope: Scope, more: Record<string, unknown> = {}): ChatEvent {
  const line: Line = LINES[scope];
  return wire.event(`@lead what about ${scope}?`, { ...line, id: '42', more: { ...line.more, ...more } });
}
