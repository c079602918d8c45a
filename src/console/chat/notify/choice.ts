// For which messages of a room the browser tells the person, kept per person in this browser. Threads go with their
// channel.
import { useCallback, useSyncExternalStore } from 'react';

export const NOTIFY = ['all', 'mentions', 'nothing'] as const;
export type Notify = (typeof NOTIFY)[number];
export const USUAL: Notify = 'mentions';

const PREFIX = 'earshot.notify.';
/** A change in this tab. The browser tells only the other tabs. */
const CHANGED = 'earshot-notify';
/** Rooms whose choice is kept. Beyond it the oldest choice is forgotten. */
const KEPT = 200;

export function notifyChoice(person: string, room: string): Notify {
  return choices(person)[room] ?? USUAL;
}

export function chooseNotify(person: string, room: string, choice: Notify): void {
  const { [room]: _, ...others } = choices(person);
  const entries = [...Object.entries(others), ...(choice === USUAL ? [] : [[room, choice] as const])];
  try {
    localStorage.setItem(PREFIX + person, JSON.stringify(Object.fromEntries(entries.slice(-KEPT))));
  } catch {
    // A browser without storage keeps the usual choice.
  }
  window.dispatchEvent(new Event(CHANGED));
}

export function useNotifyChoice(person: string, room: string): [Notify, (choice: Notify) => void] {
  const choice = useSyncExternalStore(listen, () => notifyChoice(person, room));
  const choose = useCallback((next: Notify) => chooseNotify(person, room, next), [person, room]);
  return [choice, choose];
}

function choices(person: string): Partial<Record<string, Notify>> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(PREFIX + person) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    const known = Object.entries(kept).filter(([, choice]) => NOTIFY.includes(choice as Notify));
    return Object.fromEntries(known);
  } catch {
    return {};
  }
}

function listen(changed: () => void): () => void {
  window.addEventListener(CHANGED, changed);
  window.addEventListener('storage', changed);
  return () => {
    window.removeEventListener(CHANGED, changed);
    window.removeEventListener('storage', changed);
  };
}
