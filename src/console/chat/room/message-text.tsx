// The text of a message, with mentions marked and addresses linked.
import { type ReactNode, useMemo } from 'react';
import type { WebAgent, WebMention } from '../../../protocol/web-chat.ts';
import { partsOf } from './text.ts';

interface MessageTextProps {
  text: string;
  mentions: readonly WebMention[];
  agents: ReadonlyMap<string, WebAgent>;
  me: string | undefined;
  edited: boolean;
}

export function MessageText({ text, mentions, agents, me, edited }: MessageTextProps): ReactNode {
  const parts = useMemo(() => partsOf(text, mentions, agents), [text, mentions, agents]);
  return (
    <p className="message-text" dir="auto">
      {parts.map((part, index) => {
        const key = `${index}`;
        if (part.kind === 'text') return <span key={key}>{part.text}</span>;
        if (part.kind === 'link') {
          return (
            <a key={key} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
              {part.text}
            </a>
          );
        }
        const { kind, id, name } = part.mention;
        const mine = kind === 'human' && id === me;
        return (
          <span
            key={key}
            className="mention"
            data-kind={kind}
            data-mine={mine ? '' : undefined}
            title={`${kind}: ${name}`}
          >
            {part.text}
          </span>
        );
      })}
      {edited && <span className="edited"> edited</span>}
    </p>
  );
}
