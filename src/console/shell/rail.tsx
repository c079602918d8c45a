// The navigation between the views, and whether the page is live. At phone width it is the bar at the bottom.
import type { ReactNode } from 'react';
import type { InboxPage } from '../../protocol/operator-api.ts';
import { useLiveStatus } from '../api/context.tsx';
import type { LiveStatus } from '../api/live.ts';
import { useAsked } from '../api/use-asked.ts';
import { hrefOf, type View, VIEWS } from '../route.ts';
import { ICONS } from '../ui/icons.tsx';
import { Brand } from './brand.tsx';
import { useTheme } from './theme.ts';

const TITLES: Record<View, string> = {
  chat: 'Chat',
  timeline: 'Timeline',
  agents: 'Agents',
  turns: 'Turns',
  inbox: 'Inbox',
  replay: 'Replay',
  settings: 'Settings',
};

const STATUS: Record<LiveStatus, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Not connected',
  refused: 'Signed out',
  unknown: 'Signed out',
};

/** A larger number is shown as this one with a plus. */
const COUNTED = 99;

export function Rail({ view, signOut }: { view: View; signOut: () => void }): ReactNode {
  const status = useLiveStatus();
  const { theme, cycle } = useTheme();
  const waiting =
    useAsked<InboxPage>('/v1/inbox', { limit: COUNTED + 1 }, ['inbox']).answer?.inbox.length ?? 0;
  return (
    <nav className="rail" aria-label="Views">
      <Brand />
      <ul>
        {VIEWS.map((one) => (
          <li key={one}>
            <a
              className="rail-link"
              href={hrefOf(one)}
              aria-current={one === view ? 'page' : undefined}
              title={TITLES[one]}
            >
              {ICONS[one]}
              <span>{TITLES[one]}</span>
              {one === 'inbox' && waiting > 0 && (
                <span className="rail-count">
                  {waiting > COUNTED ? `${COUNTED}+` : waiting}
                  <span className="hidden"> waiting</span>
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div className="rail-foot">
        <p className="live" data-status={status} role="status" title={STATUS[status]}>
          <span className="live-dot" />
          <span>{STATUS[status]}</span>
        </p>
        <button type="button" className="rail-link" onClick={cycle} title={`Theme: ${theme}`}>
          {ICONS.theme}
          <span>Theme: {theme}</span>
        </button>
        <button type="button" className="rail-link" onClick={signOut} title="Sign out">
          {ICONS.leave}
          <span>Sign out</span>
        </button>
      </div>
    </nav>
  );
}
