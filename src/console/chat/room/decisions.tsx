// The decisions about the messages of one conversation, for operators. They are read from the log page by page, as far
// back as the messages here go, and updated with the news.
import { createContext, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { LogEntry, LogPage, ShownDecision } from '../../../protocol/operator-api.ts';
import { useClient, useNews } from '../../api/context.tsx';
import type { LiveNews } from '../../api/live.ts';
import { useChatState } from '../context.tsx';
import type { OnWhy } from '../page.tsx';

export interface Decided {
  of: (eventId: string) => readonly ShownDecision[] | undefined;
  onWhy: NonNullable<OnWhy>;
}

/** Undefined for people who may not see decisions. */
export const DecidedContext = createContext<Decided | undefined>(undefined);

const PAGE_ROWS = 200;
type Rows = ReadonlyMap<string, readonly ShownDecision[]>;

interface DecisionsProps {
  conversation: string;
  onWhy: NonNullable<OnWhy>;
  children: ReactNode;
}

export function Decisions({ conversation, onWhy, children }: DecisionsProps): ReactNode {
  const client = useClient();
  const { rooms } = useChatState();
  const [rows, setRows] = useState<Rows>(new Map());
  const older = useRef<{ cursor?: string | undefined; busy: boolean }>({ busy: false });
  const oldest = rooms.get(conversation)?.held[0]?.message.eventId;
  const missing = oldest !== undefined && !rows.has(oldest);

  const read = useCallback(
    async (where: { last: true } | { before: string }) => {
      older.current.busy = true;
      try {
        const query = { conversation, type: 'message', limit: PAGE_ROWS, ...where };
        const page = await client.get<LogPage>('/v1/log', query);
        older.current.cursor = page.prevCursor;
        setRows((before) => withEntries(before, page.log));
      } catch {
        // The chat works without them, and the page shows by itself when the host is away.
        older.current.cursor = undefined;
      } finally {
        older.current.busy = false;
      }
    },
    [client, conversation],
  );
  // An empty conversation has no log to ask for.
  const written = oldest !== undefined;
  useEffect(() => {
    if (written) void read({ last: true });
  }, [read, written]);
  useEffect(() => {
    const { cursor, busy } = older.current;
    if (missing && cursor !== undefined && !busy) void read({ before: cursor });
  }, [read, missing, rows]);
  useNews(
    useCallback(
      (news: LiveNews) => {
        if (news.type === 'gap') return void (written && read({ last: true }));
        if (news.type !== 'logged') return;
        const entry = (news as { data: unknown }).data as LogEntry;
        if (entry.conversation.id === conversation) setRows((before) => withEntries(before, [entry]));
      },
      [read, conversation, written],
    ),
  );
  const decided = useMemo(() => ({ of: (eventId: string) => rows.get(eventId), onWhy }), [rows, onWhy]);
  return <DecidedContext value={decided}>{children}</DecidedContext>;
}

function withEntries(rows: Rows, entries: readonly LogEntry[]): Rows {
  return new Map([...rows, ...entries.map(({ eventId, decisions }) => [eventId, decisions] as const)]);
}
