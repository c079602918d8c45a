// A stretch of prose: mentions that the host resolved are marked, addresses are linked.
import type { ReactNode } from 'react';
import type { WebAgent, WebMention } from '../../../protocol/web-chat.ts';
import { partsOf } from '../room/text.ts';
import { isolated, withVisibleControls } from './bidi.tsx';

/** What a text is read with. The same object as long as nothing in it changes. */
export interface Reading {
  mentions: readonly WebMention[];
  agents: ReadonlyMap<string, WebAgent>;
  me: string | undefined;
  /** For what can be focused: 0 in the message that the arrow keys are at. */
  tabIndex: number;
}

export function Prose({ text, reading }: { text: string; reading: Reading }): ReactNode {
  const { mentions, agents, me, tabIndex } = reading;
  return partsOf(text, mentions, agents).map((part, index) => {
    const key = `${index}`;
    if (part.kind === 'text') return isolated(part.text, key);
    if (part.kind === 'link')
      return (
        <SafeLink key={key} href={part.href} tabIndex={tabIndex}>
          {withVisibleControls(part.text)}
        </SafeLink>
      );
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
  });
}

interface SafeLinkProps {
  /** Checked by isSafeHref. */
  href: string;
  title?: string | undefined;
  tabIndex: number;
  children: ReactNode;
}

export function SafeLink({ href, title, tabIndex, children }: SafeLinkProps): ReactNode {
  return (
    <a href={href} title={title} target="_blank" rel="noopener noreferrer nofollow" tabIndex={tabIndex}>
      {children}
    </a>
  );
}
