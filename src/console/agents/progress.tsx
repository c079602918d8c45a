// The progress that an agent reports, as it reports it. Reports from before the page was opened are not shown.
import { type ReactNode, useCallback, useState } from 'react';
import { useNews } from '../api/context.tsx';
import type { LiveNews } from '../api/live.ts';

interface Said {
  message?: string;
  progress?: number;
  total?: number;
}

export function Progress({ agent }: { agent: string }): ReactNode {
  const [said, setSaid] = useState<Said>();
  useNews(
    useCallback(
      (news: LiveNews) => {
        if (news.type !== 'progress' || !('data' in news) || news.data['agent'] !== agent) return;
        setSaid(news.data['detail'] as Said);
      },
      [agent],
    ),
  );
  if (said === undefined) return null;
  const { message = '', progress = 0, total } = said;
  return (
    <>
      <dt>progress</dt>
      <dd role="status">
        {message} <span className="dim">{total === undefined ? progress : `${progress} of ${total}`}</span>
      </dd>
    </>
  );
}
