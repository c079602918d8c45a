// The search over the chat: a field, and messages with these words. Arrow keys choose, Enter opens the message in its
// place.
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { WebFound } from '../../../protocol/web-chat.ts';
import { Face } from '../../ui/face.tsx';
import { dayOf } from '../../ui/time.tsx';
import { ChatTime } from '../chat-time.tsx';
import { useChatState } from '../context.tsx';
import { useSearch } from './use-search.ts';

interface SearchPanelProps {
  /** The open conversation. */
  room: string;
  show: (found: WebFound) => void;
  close: () => void;
}

const WORDS_CHARS = 200;

export function SearchPanel({ room, show, close }: SearchPanelProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const { conversations } = useChatState();
  const [words, setWords] = useState('');
  const [here, setHere] = useState(false);
  const [chosen, setChosen] = useState(0);
  const { found, state, problem, more } = useSearch(words, here ? room : undefined);
  useEffect(() => dialog.current?.showModal(), []);
  const at = Math.min(chosen, found.length - 1);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const pressed = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const one = found[at];
    if (step !== 0 && found.length > 0) setChosen((at + step + found.length) % found.length);
    else if (event.key === 'Enter' && one !== undefined) show(one);
    // A field for search would only be emptied by it.
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
  };
  const { kind, title } = conversations.get(room) ?? { kind: 'channel', title: room };
  return (
    <dialog ref={dialog} className="dialog search" aria-label="Search" onClose={close}>
      <div className="search-head">
        <input
          className="input"
          type="search"
          role="combobox"
          aria-expanded={found.length > 0}
          aria-controls="search-found"
          aria-activedescendant={at >= 0 ? `found-${at}` : undefined}
          aria-label="Search messages"
          placeholder="Search messages"
          maxLength={WORDS_CHARS}
          value={words}
          onKeyDown={pressed}
          onChange={(event) => {
            setWords(event.target.value);
            setChosen(0);
          }}
        />
        <label className="small row">
          <input type="checkbox" checked={here} onChange={(event) => setHere(event.target.checked)} />
          only {kind === 'dm' ? `with ${title}` : `in #${title}`}
        </label>
      </div>
      <p className="small dim search-state" role="status">
        {problem ?? wordsFor(state, found.length, more !== undefined)}
      </p>
      <ul ref={list} id="search-found" className="search-found" role="listbox" aria-label="Messages found">
        {found.map((one, index) => (
          <li
            key={one.eventId}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => show(one)}
            onKeyDown={undefined}
          >
            <Face author={one.author} />
            <div>
              <p className="small">
                <b>{one.author.name}</b> <span className="dim">{placeName(one)}</span>{' '}
                <span className="dim">
                  {dayOf(one.at)} <ChatTime at={one.at} />
                </span>
              </p>
              <p className="search-excerpt" dir="auto">
                {marked(one)}
              </p>
            </div>
          </li>
        ))}
      </ul>
      {more !== undefined && state === 'done' && (
        <button type="button" className="show-more" onClick={more}>
          Look further back
        </button>
      )}
    </dialog>
  );
}

function wordsFor(state: 'idle' | 'asking' | 'done', count: number, more: boolean): string {
  if (state === 'idle') return 'In every channel, and in your own direct messages.';
  if (state === 'asking') return 'Searching…';
  if (count === 0) return more ? 'Nothing so far.' : 'Nothing found.';
  return `${count}${more ? ' or more' : ''} found, newest first`;
}

function placeName({ conversation: { kind, title } }: WebFound): string {
  if (kind === 'dm') return `@ ${title}`;
  return kind === 'thread' ? `thread in #${title}` : `#${title}`;
}

function marked({ excerpt, hits }: WebFound): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const [from, to] of hits) {
    if (from < end) continue;
    parts.push(excerpt.slice(end, from), <mark key={from}>{excerpt.slice(from, to)}</mark>);
    end = to;
  }
  parts.push(excerpt.slice(end));
  return parts;
}
