// The chat's icons, drawn here so that nothing is fetched and every system shows the same picture.
import type { ReactNode } from 'react';

function Icon({ children }: { children: ReactNode }): ReactNode {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const CHAT_ICONS = {
  signal: (
    <Icon>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M5.8 9.6c.6.8 1.3 1.2 2.2 1.2s1.6-.4 2.2-1.2M6 6.5h.01M10 6.5h.01" />
    </Icon>
  ),
  notice: (
    <Icon>
      <circle cx="8" cy="8" r="5.7" />
      <path d="M8 7.4v3.4M8 5.2h.01" />
    </Icon>
  ),
  reply: (
    <Icon>
      <path d="M6.5 4 3 7.5 6.5 11M3.5 7.5h5.2a4 4 0 0 1 4 4v.8" />
    </Icon>
  ),
  thread: (
    <Icon>
      <path d="M2.5 3h8v5.5h-4l-2 1.6V8.5h-2zM12.5 6h1v5.5h-1.5v1.6l-2-1.6h-2.5v-.8" />
    </Icon>
  ),
  edit: (
    <Icon>
      <path d="m3 13 .6-2.6 7.3-7.3 2 2-7.3 7.3zM9.7 4.3l2 2" />
    </Icon>
  ),
  trash: (
    <Icon>
      <path d="M3 4.5h10M6.5 4.5v-1.5h3v1.5M4.3 4.5l.6 8.5h6.2l.6-8.5M6.8 7v3.8M9.2 7v3.8" />
    </Icon>
  ),
  link: (
    <Icon>
      <path d="M6.6 9.4a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.8.8M9.4 6.6a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.8-.8" />
    </Icon>
  ),
  bell: (
    <Icon>
      <path d="M4 11V7.2a4 4 0 0 1 8 0V11l1 1.2H3zM6.8 13.6a1.3 1.3 0 0 0 2.4 0" />
    </Icon>
  ),
  plus: (
    <Icon>
      <path d="M8 3.5v9M3.5 8h9" />
    </Icon>
  ),
  send: (
    <Icon>
      <path d="M2.5 8 13 3l-2.7 10-2.8-4zM7.5 9 13 3" />
    </Icon>
  ),
  list: (
    <Icon>
      <path d="M2.5 4h11M2.5 8h11M2.5 12h11" />
    </Icon>
  ),
  close: (
    <Icon>
      <path d="m4 4 8 8M12 4l-8 8" />
    </Icon>
  ),
  guide: (
    <Icon>
      <circle cx="8" cy="8" r="5.7" />
      <path d="m10.3 5.7-1.3 3.3-3.3 1.3 1.3-3.3z" />
    </Icon>
  ),
  search: (
    <Icon>
      <circle cx="7" cy="7" r="4.3" />
      <path d="m10.3 10.3 3.2 3.2" />
    </Icon>
  ),
  attach: (
    <Icon>
      <path d="m12.8 7.4-5 5a3 3 0 0 1-4.3-4.3l5.4-5.3a2 2 0 0 1 2.8 2.8l-5.2 5.2a1 1 0 0 1-1.5-1.4l4.5-4.5" />
    </Icon>
  ),
  check: (
    <Icon>
      <path d="m3.5 8.5 3 3 6-7" />
    </Icon>
  ),
} as const;
