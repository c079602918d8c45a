// Patterns of the settings: `platform/workspaceId/conversationId`, each part `*` or literal; a single `*` is everywhere.
import type { Conversation } from '../protocol/chat-event.ts';

export interface PatternPlace {
  platform: string;
  workspaceId: string;
  conversation: Pick<Conversation, 'id' | 'parentId'>;
}

const EVERYWHERE = '*';

/** A pattern matches a thread by its own id or its parent's, so a room's settings cover its threads. */
export function matches(pattern: string, { platform, workspaceId, conversation }: PatternPlace): boolean {
  if (pattern === EVERYWHERE) return true;
  const parts = pattern.split('/');
  const [wantPlatform, wantWorkspace] = parts.length >= 3 ? parts : ['*', '*'];
  const wantConversation = parts.length >= 3 ? parts.slice(2).join('/') : pattern;
  const ids = [conversation.id, conversation.parentId];
  return (
    (wantPlatform === '*' || wantPlatform === platform) &&
    (wantWorkspace === '*' || wantWorkspace === workspaceId) &&
    (wantConversation === '*' || ids.includes(wantConversation))
  );
}

/** The pattern of one conversation and of its threads. A slash in a workspace cannot be written: then any workspace fits. */
export function patternOf({ platform, workspaceId, conversation }: PatternPlace): string {
  const where = `${platform}${workspaceId}`.includes('/') ? '*/*' : `${platform}/${workspaceId}`;
  return `${where}/${conversation.id}`;
}
