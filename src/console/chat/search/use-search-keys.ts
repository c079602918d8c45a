// Ctrl+K or ⌘K opens the search everywhere in the chat, and / does when nobody is typing.
import { useEffect } from 'react';

export function useSearchKeys(open: () => void): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.altKey || event.shiftKey) return;
      const command = event.ctrlKey || event.metaKey;
      const typing =
        event.target instanceof Element &&
        event.target.closest('input, textarea, select, [contenteditable]') !== null;
      const wanted = command ? event.key.toLowerCase() === 'k' : event.key === '/' && !typing;
      if (!wanted) return;
      event.preventDefault();
      open();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [open]);
}
