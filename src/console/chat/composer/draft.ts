// What somebody is about to say, per conversation: kept while they look elsewhere.
import { useCallback, useMemo, useState } from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';

export interface Draft {
  text: string;
  replyTo?: WebMessage;
  /** The message whose words these will be. */
  editing?: WebMessage;
}

export interface Drafts {
  of: (conversation: string) => Draft;
  set: (conversation: string, draft: Draft) => void;
}

const NOTHING: Draft = { text: '' };

export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map());
  const set = useCallback((conversation: string, draft: Draft) => {
    setDrafts((before) => new Map([...before, [conversation, draft]]));
  }, []);
  return useMemo(() => ({ of: (conversation) => drafts.get(conversation) ?? NOTHING, set }), [drafts, set]);
}
