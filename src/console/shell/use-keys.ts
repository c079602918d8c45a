// Single-key shortcuts. They are ignored while somebody is typing.
import { useEffect, useRef } from 'react';

export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const typing =
        event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      if (typing !== null && typing !== false && event.key !== 'Escape') return;
      const act = latest.current[event.key];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
