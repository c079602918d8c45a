// Shows the browser's notifications for messages that the person does not see. One room is one notification, which
// counts. A click on it opens the message.
import { useEffect } from 'react';
import { useChatClient } from '../context.tsx';
import { notifyChoice } from './choice.ts';
import { isWorthTelling, roomOf, toldAs } from './worth.ts';

export interface Destination {
  room: string;
  thread: string;
  message: string;
}

export function useNotifications(go: (place: Destination) => void): void {
  const client = useChatClient();
  useEffect(() => {
    const shown = new Map<string, { count: number; close: () => void }>();
    const looked = (): void => {
      if (!isLooking()) return;
      for (const { close } of shown.values()) close();
      shown.clear();
    };
    const stop = client.onMessage((message) => {
      const state = client.state();
      const { conversation, eventId } = message;
      const room = roomOf(state, conversation);
      const isSeen = isLooking() && (state.watching === conversation || client.isOnScreen(conversation));
      if (!canNotify() || state.me === undefined) return;
      if (!isWorthTelling(state, message, notifyChoice(state.me.id, room), isSeen)) return;
      const count = (shown.get(room)?.count ?? 0) + 1;
      const { title, body } = toldAs(state, message, count);
      // The tag makes several tabs and several messages of a room one notification.
      const notification = new Notification(title, { body, tag: `earshot-${state.me.id}-${room}` });
      notification.addEventListener('click', () => {
        window.focus();
        go({ room, thread: room === conversation ? '' : conversation, message: eventId });
        notification.close();
      });
      shown.set(room, { count, close: () => notification.close() });
    });
    window.addEventListener('focus', looked);
    document.addEventListener('visibilitychange', looked);
    return () => {
      stop();
      window.removeEventListener('focus', looked);
      document.removeEventListener('visibilitychange', looked);
    };
  }, [client, go]);
}

function isLooking(): boolean {
  return document.visibilityState === 'visible' && document.hasFocus();
}

function canNotify(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}
