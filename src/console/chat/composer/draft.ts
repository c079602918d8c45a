// The unsent text of each conversation. It is kept while the person looks at another one.
import { useCallback, useMemo, useState } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';

export interface MessageDraft {
  text: string;
  replyTo?: WebMessage;
  /** The message that is being edited. */
  editing?: WebMessage;
}

export interface MessageDrafts {
  of: (conversation: string) => MessageDraft;
  set: (conversation: string, draft: MessageDraft) => void;
}

const NOTHING: MessageDraft = { text: '' };

export function useDrafts(): MessageDrafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, MessageDraft>>(new Map());
  const set = useCallback((conversation: string, draft: MessageDraft) => {
    setDrafts((before) => new Map([...before, [conversation, draft]]));
  }, []);
  return useMemo(() => ({ of: (conversation) => drafts.get(conversation) ?? NOTHING, set }), [drafts, set]);
}
