// The product's name and logo.
import type { ReactNode } from 'react';

export function Brand(): ReactNode {
  return (
    <div className="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#2f6f4f" />
        <g fill="none" stroke="#fff" strokeWidth="2.6" strokeLinecap="round">
          <circle cx="10" cy="16" r="2" fill="#fff" stroke="none" />
          <path d="M14.5 10.8a7 7 0 0 1 0 10.4" />
          <path d="M19 7a12.5 12.5 0 0 1 0 18" opacity=".55" />
        </g>
      </svg>
      <span>Earshot</span>
    </div>
  );
}
