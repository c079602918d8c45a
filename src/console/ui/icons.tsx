// The few icons of the page, drawn here so that nothing is fetched.
import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }): ReactNode {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const ICONS = {
  chat: (
    <Icon>
      <path d="M2.5 3.5h11v7.5h-6l-3 2.5V11h-2z" />
    </Icon>
  ),
  timeline: (
    <Icon>
      <path d="M3 3.5h.01M3 8h.01M3 12.5h.01M6 3.5h7.5M6 8h7.5M6 12.5h5" />
    </Icon>
  ),
  agents: (
    <Icon>
      <rect x="3" y="5.5" width="10" height="7.5" rx="2" />
      <path d="M8 5.5V3M6 9h.01M10 9h.01M1.5 8.5v2M14.5 8.5v2" />
    </Icon>
  ),
  turns: (
    <Icon>
      <path d="M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6" />
    </Icon>
  ),
  settings: (
    <Icon>
      <path d="M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6" />
      <circle cx="10" cy="4.5" r="1.5" />
      <circle cx="6" cy="11.5" r="1.5" />
    </Icon>
  ),
  inbox: (
    <Icon>
      <path d="M2.5 9.5 4.5 3h7l2 6.5V13h-11zM2.5 9.5h3l1 1.5h3l1-1.5h3" />
    </Icon>
  ),
  replay: (
    <Icon>
      <path d="M3 8a5 5 0 1 0 1.6-3.7L3 5.7M3 2.8v2.9h2.9M8 5.5V8l1.8 1.2" />
    </Icon>
  ),
  theme: (
    <Icon>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5v11a5.5 5.5 0 0 0 0-11z" fill="currentColor" />
    </Icon>
  ),
  leave: (
    <Icon>
      <path d="M6.5 3h-3v10h3M6.5 8h7M11 5.5 13.5 8 11 10.5" />
    </Icon>
  ),
} as const;
