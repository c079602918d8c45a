// The operator's frame: the rail, the view that the address names, and the panel that explains a decision.
import { lazy, type ReactNode, Suspense } from 'react';
import { useLiveStatus } from '../api/context.tsx';
import { NO_ANSWER } from '../api/error.ts';
import { Home } from '../home/home.tsx';
import { useRoute, type View } from '../route.ts';
import { Timeline } from '../timeline/timeline.tsx';
import { Button } from '../ui/button.tsx';
import { Waiting } from '../ui/note.tsx';
import { OopsBoundary } from '../ui/oops.tsx';
import { WhyPanel } from '../why/panel.tsx';
import { useWhy } from '../why/use-why.ts';
import { Rail } from './rail.tsx';
import { useKeys } from './use-keys.ts';

const Agents = lazy(async () => ({ default: (await import('../agents/agents.tsx')).Agents }));
const Turns = lazy(async () => ({ default: (await import('../turns/turns.tsx')).Turns }));
const Inbox = lazy(async () => ({ default: (await import('../inbox/inbox.tsx')).Inbox }));
const Replay = lazy(async () => ({ default: (await import('../replay/replay.tsx')).Replay }));

export function Shell({ person, signOut }: { person: string | undefined; signOut: () => void }): ReactNode {
  const { view } = useRoute();
  const why = useWhy();
  useKeys({ Escape: why.close });
  return (
    <div className="shell" data-panel={why.eventId === undefined ? 'closed' : 'open'}>
      <Rail view={view} signOut={signOut} />
      <main className="main">
        <ConnectionBanner signOut={signOut} />
        <OopsBoundary key={view}>
          <Suspense fallback={<Waiting what="the view" />}>{viewOf(view, person)}</Suspense>
        </OopsBoundary>
      </main>
      {why.eventId !== undefined && (
        <WhyPanel key={why.eventId} eventId={why.eventId} agent={why.agent} close={why.close} />
      )}
    </div>
  );
}

function viewOf(view: View, person: string | undefined): ReactNode {
  switch (view) {
    case 'chat':
      return <Home person={person} />;
    case 'timeline':
      return <Timeline />;
    case 'agents':
      return <Agents />;
    case 'turns':
      return <Turns />;
    case 'inbox':
      return <Inbox />;
    case 'replay':
      return <Replay />;
  }
}

function ConnectionBanner({ signOut }: { signOut: () => void }): ReactNode {
  const status = useLiveStatus();
  if (status === 'lost') {
    return (
      <div className="banner" role="alert">
        {NO_ANSWER} What you see may be old.
      </div>
    );
  }
  if (status === 'refused') {
    return (
      <div className="banner" role="alert">
        The host no longer takes this token.
        <Button small onClick={signOut}>
          Sign in again
        </Button>
      </div>
    );
  }
  return null;
}
