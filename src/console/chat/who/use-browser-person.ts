// Keeps whom the browser is signed in as useful. A token that the host refuses is forgotten. Where a link has made this
// tab somebody else and the browser's own token is dead, as after the host was set up anew, the tab's takes its place.
import { useEffect } from 'react';
import {
  becomePersonOfBrowser,
  forgetRefusedPerson,
  isOnlyThisTab,
  personOfBrowser,
} from '../../page-tokens.ts';
import { useChatState } from '../context.tsx';
import { ChatRefusal } from '../wire/refusal.ts';
import { openSocket } from '../wire/socket.ts';

export function useBrowserPerson(token: string, url: string): void {
  const { status, me } = useChatState();
  const isIn = me !== undefined;
  useEffect(() => {
    if (status === 'refused') forgetRefusedPerson(token);
  }, [status, token]);
  useEffect(() => {
    const kept = personOfBrowser();
    if (!isIn || !isOnlyThisTab() || kept === undefined) return;
    void isRefused(kept, url).then((refused) => {
      // The browser may have signed in otherwise meanwhile.
      if (refused && personOfBrowser() === kept) becomePersonOfBrowser(token);
    });
  }, [isIn, token, url]);
}

async function isRefused(token: string, url: string): Promise<boolean> {
  try {
    const socket = await openSocket(url, () => undefined);
    try {
      await socket.call('hello', { token });
      return false;
    } finally {
      socket.close();
    }
  } catch (error) {
    return error instanceof ChatRefusal && error.why === 'unauthorized';
  }
}
