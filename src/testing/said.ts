// What somebody in a test says, as the event a surface would hand over. Everything has a default but the words: one
// workspace, one channel, people; `@lead` in the text is read by the host as it is everywhere.

/** The surface and the platform of everything said in a test: a conversation's pattern is `test/w/ID`. */
export const SURFACE = 'test';

export interface SayOptions {
  /** The event's id; numbered otherwise: e1, e2, … */
  id?: string;
  /** The conversation's id. `general` unless given. */
  in?: string;
  inKind?: 'channel' | 'dm' | 'thread';
  /** The room a thread hangs in. */
  parentId?: string;
  /** `agent` for somebody else's agent. */
  authorKind?: 'human' | 'agent';
  /** Further fields of the event: mentions, replyTo, membership, … */
  more?: Record<string, unknown>;
}

export interface SaidEvent {
  eventId: string;
  at: number;
  platform: string;
  workspaceId: string;
  conversation: { id: string; kind: string; parentId?: string };
  author: { id: string; kind: 'human' | 'agent'; displayName: string };
}

export function saidEvent(id: string, author: string, at: number, options: SayOptions): SaidEvent {
  const { in: where = 'general', inKind = 'channel', parentId, authorKind = 'human' } = options;
  return {
    eventId: id,
    at,
    platform: SURFACE,
    workspaceId: 'w',
    conversation: { id: where, kind: inKind, ...(parentId === undefined ? {} : { parentId }) },
    author: { id: author, kind: authorKind, displayName: author },
  };
}
