// Copies the address of a message. Whoever opens it, and may see the message, comes to it.
import { type ReactNode, useEffect, useState } from 'react';
import type { WebConversation, WebMessage } from '../../../protocol/web-chat.ts';
import { hrefOf } from '../../route.ts';
import { useChatState } from '../context.tsx';
import { CHAT_ICONS } from '../icons.tsx';

const COPIED_MS = 2_000;

export function messageLink(
  { conversation, eventId }: Pick<WebMessage, 'conversation' | 'eventId'>,
  conversations: ReadonlyMap<string, WebConversation>,
): string {
  const parent = conversations.get(conversation)?.parentId;
  const place = parent === undefined ? { room: conversation } : { room: parent, thread: conversation };
  return hrefOf('chat', { ...place, message: eventId });
}

export function CopyLink({ message, tabIndex }: { message: WebMessage; tabIndex: number }): ReactNode {
  const { conversations } = useChatState();
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  useEffect(() => {
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome(undefined), COPIED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const link = `${location.origin}${location.pathname}${messageLink(message, conversations)}`;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(link);
      setOutcome('copied');
    } catch {
      // Browsers offer the clipboard only over https and on this machine. The address bar can be copied from instead.
      location.hash = messageLink(message, conversations);
      setOutcome('failed');
    }
  };
  const words = { copied: 'Copied', failed: 'Copy it from the address bar' };
  return (
    <button
      type="button"
      className="tool"
      tabIndex={tabIndex}
      title={outcome === undefined ? 'Copy link' : words[outcome]}
      aria-label={outcome === undefined ? 'Copy link' : words[outcome]}
      onClick={() => void copy()}
    >
      {outcome === 'copied' ? CHAT_ICONS.check : CHAT_ICONS.link}
    </button>
  );
}
