// Turns what somebody says in a test into the event that a surface would ingest. Everything but the words has a
// default: one workspace, one channel, people. The host reads `@lead` in the text as usual.

/** The surface and the platform of every test event. The pattern of a conversation is `test/w/ID`. */
export const SURFACE = 'test';

export interface SayOptions {
  /** The event's id. Default: e1, e2, … */
  id?: string;
  /** The conversation's id. Default: `general`. */
  in?: string;
  inKind?: 'channel' | 'dm' | 'thread';
  /** For a thread: the room it belongs to. */
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
