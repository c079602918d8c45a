// The conversations of the host, and where people in the chat have moved the dial of an agent.
import { useEffect, useMemo, useState } from 'react';
import type { ConversationsPage, ShownConversation } from '../../protocol/operator-api.ts';
import type { DialMovesAnswer, MovedDial } from '../../protocol/settings-api.ts';
import type { Client } from '../api/client.ts';
import { useClient } from '../api/context.tsx';
import { useAsked } from '../api/use-asked.ts';
import { roomTitles } from './room-dials.ts';

const PAGE = 200;
/** More are not offered. The file takes any. */
const MOST = 1_000;

export interface Rooms {
  conversations: readonly ShownConversation[];
  /** What people call them, by their patterns. */
  titles: ReadonlyMap<string, string>;
  moves: readonly MovedDial[];
  again: () => void;
}

export function useRooms(): Rooms {
  const client = useClient();
  const [conversations, setConversations] = useState<readonly ShownConversation[]>([]);
  useEffect(() => {
    const abort = new AbortController();
    readAll(client, abort.signal).then(setConversations, () => {
      // The host is away, and the banner says so.
    });
    return () => abort.abort();
  }, [client]);
  const { answer, again } = useAsked<DialMovesAnswer>('/v1/dials', {}, ['settings']);
  const titles = useMemo(() => roomTitles(conversations), [conversations]);
  return { conversations, titles, moves: answer?.moves ?? [], again };
}

async function readAll(client: Client, signal: AbortSignal): Promise<readonly ShownConversation[]> {
  const all: ShownConversation[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined && all.length < MOST; ) {
    const page: ConversationsPage = await client.get('/v1/conversations', { limit: PAGE, cursor }, signal);
    all.push(...page.conversations);
    cursor = page.nextCursor;
  }
  return all;
}
