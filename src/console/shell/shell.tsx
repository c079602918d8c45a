// The operator's frame: the rail, the view that the address names, and the panel that explains a decision.
import { lazy, type ReactNode, Suspense } from 'react';
import { useLiveStatus } from '../api/context.tsx';
import { NO_ANSWER } from '../api/error.ts';
import { Chat } from '../chat/index.tsx';
import { Home } from '../home/home.tsx';
import { useRoute, type View } from '../route.ts';
import { SignIn } from '../sign-in.tsx';
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
const Settings = lazy(async () => ({ default: (await import('../settings/settings.tsx')).Settings }));

interface ShellProps {
  person: string | undefined;
  signIn: (token: string) => void;
  signOut: () => void;
}

export function Shell({ person, signIn, signOut }: ShellProps): ReactNode {
  const { view } = useRoute();
  const why = useWhy();
  const status = useLiveStatus();
  useKeys({ Escape: why.close });
  // Every view would say the same, each in its own place. The chat needs a person's token alone.
  if (status === 'unknown' && person === undefined) return <SignIn signIn={signIn} problem={UNKNOWN_TOKEN} />;
  if (status === 'unknown') return <ChatAlone token={person} signOut={signOut} />;
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

function ChatAlone({ token, signOut }: { token: string | undefined; signOut: () => void }): ReactNode {
  return (
    <div className="shell alone">
      <main className="main">
        <div className="banner" role="alert">
          This host does not know the operator’s token of this link or browser, so you see the chat alone.
          <Button small onClick={signOut}>
            Sign in again
          </Button>
        </div>
        <OopsBoundary key="chat">
          <Chat token={token} />
        </OopsBoundary>
      </main>
    </div>
  );
}

/** It comes from an old link or from an earlier visit. */
const UNKNOWN_TOKEN =
  'This host does not know the token of this link or browser: it was revoked, or the data folder is another one. The link that the host prints at its start has one that works.';

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
    case 'settings':
      return <Settings />;
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
