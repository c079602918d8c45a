// The text of a message as Markdown. A long one is shown in part, with a button for the rest. A text that is still
// growing is shown whole, and stays so when it has ended.
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { WebAgent, WebMention } from '../../../protocol/web-chat.ts';
import { SHOWN_CHARS, SHOWN_LINES } from '../markdown/limits.ts';
import { Markdown } from '../markdown/markdown.tsx';

interface MessageTextProps {
  text: string;
  mentions: readonly WebMention[];
  agents: ReadonlyMap<string, WebAgent>;
  me: string | undefined;
  edited: boolean;
  /** For links and buttons in it: 0 in the message that the arrow keys are at. */
  tabIndex?: number;
  /** True while more of the text is on its way. */
  growing?: boolean;
}

export function MessageText(props: MessageTextProps): ReactNode {
  const { text, mentions, agents, me, edited, tabIndex = -1, growing = false } = props;
  const reading = useMemo(() => ({ mentions, agents, me, tabIndex }), [mentions, agents, me, tabIndex]);
  const grew = useRef(growing);
  if (growing) grew.current = true;
  const [whole, setWhole] = useState(false);
  const start = beginningOf(text);
  const long = start.length < text.length && !grew.current;
  return (
    <div className="message-text" dir="auto">
      <div className="md" data-cut={long && !whole ? '' : undefined}>
        <Markdown text={long && !whole ? start : text} reading={reading} />
      </div>
      {long && (
        <button
          type="button"
          className="show-more"
          tabIndex={tabIndex}
          aria-expanded={whole}
          onClick={() => setWhole((is) => !is)}
        >
          {whole ? 'Show less' : `Show more (${text.length.toLocaleString('en')} characters)`}
        </button>
      )}
      {edited && <span className="edited"> edited</span>}
    </div>
  );
}

/** As much of a text as is shown at first: whole lines where they are short enough. */
function beginningOf(text: string): string {
  let end = Math.min(text.length, SHOWN_CHARS);
  for (let [at, lines] = [text.indexOf('\n'), 1]; at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
    if (++lines > SHOWN_LINES) end = at;
  }
  const line = text.lastIndexOf('\n', end);
  const cut = line > end / 2 ? line : end;
  return isLittle(text.slice(cut)) ? text : text.slice(0, cut).toWellFormed();
}

/** So little that a button in its place would save nothing. */
function isLittle(rest: string): boolean {
  return rest.length <= SHOWN_CHARS / 10 && rest.split('\n').length <= SHOWN_LINES / 5;
}
