// A link may carry another operator's token than the one that this browser works with. Anybody can make such a link, so
// the person is asked first. A token that the host does not take any more is replaced without a question.
import { type ReactNode, useEffect, useState } from 'react';
import { createClient } from './api/client.ts';
import { ApiError } from './api/error.ts';
import { Brand } from './shell/brand.tsx';
import { Button } from './ui/button.tsx';

interface OtherTokenProps {
  /** The token in use. */
  current: string;
  keep: () => void;
  take: () => void;
}

export function OtherToken({ current, keep, take }: OtherTokenProps): ReactNode {
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    const over = new AbortController();
    createClient(current)
      .get('/v1/agents', {}, over.signal)
      .then(
        () => setAsks(true),
        (error: unknown) => {
          if (over.signal.aborted) return;
          if (error instanceof ApiError && error.signedOut) take();
          else setAsks(true);
        },
      );
    return () => over.abort();
  }, [current, take]);
  if (!asks) return <main className="sign-in" aria-busy="true" />;
  return (
    <main className="sign-in">
      <form onSubmit={(event) => event.preventDefault()}>
        <Brand />
        <h1>Use another token?</h1>
        <p className="dim">
          The link that you opened carries another operator’s token than the one this browser works with. Use
          it only if you trust whoever gave you the link: what you do from then on is done with that token.
        </p>
        <Button tone="primary" onClick={keep}>
          Keep mine
        </Button>
        <Button onClick={take}>Use the link’s</Button>
      </form>
    </main>
  );
}
