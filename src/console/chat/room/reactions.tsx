// The signals on a message, each a button that adds or removes the person's own, and the palette of all nine.
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { listedNames } from '../../../protocol/listed-names.ts';
import type { Signal } from '../../../protocol/vocabulary.ts';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { useChatState } from '../context.tsx';
import { hasReacted } from '../state/amendment.ts';

export type Toggle = (signal: Signal, remove: boolean) => void;

interface ReactionsProps {
  message: WebMessage;
  me: string | undefined;
  toggle: Toggle;
  tabIndex: number;
}

export function Reactions({ message, me, toggle, tabIndex }: ReactionsProps): ReactNode {
  if (message.reactions.length === 0) return null;
  return (
    <ul className="reactions" aria-label="Signals">
      {message.reactions.map(({ signal, glyph, by }) => {
        const mine = me !== undefined && hasReacted(message, signal, me);
        const names = listedNames(by.map(({ name }) => name));
        return (
          <li key={signal}>
            <button
              type="button"
              className="reaction"
              tabIndex={tabIndex}
              aria-pressed={mine}
              title={`${names}: ${signal}`}
              onClick={() => toggle(signal, mine)}
            >
              <span aria-hidden="true">{glyph}</span>
              <span>{signal}</span>
              <span className="dim">{names}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface PaletteProps {
  message: WebMessage;
  me: string | undefined;
  toggle: Toggle;
  close: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export function Palette({ message, me, toggle, close }: PaletteProps): ReactNode {
  const { signals } = useChatState();
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => menu.current?.querySelector('button')?.focus(), []);
  const move = (event: KeyboardEvent<HTMLDivElement>): void => {
    event.stopPropagation();
    if (event.key === 'Escape') return close();
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll('button')];
    const at = all.findIndex((one) => one === document.activeElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div
      ref={menu}
      className="palette"
      role="menu"
      aria-label="Signals"
      onKeyDown={move}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      {signals.map(({ signal, glyph }) => {
        const mine = me !== undefined && hasReacted(message, signal, me);
        return (
          <button
            key={signal}
            type="button"
            role="menuitemcheckbox"
            aria-checked={mine}
            className="palette-item"
            onClick={() => {
              toggle(signal, mine);
              close();
            }}
          >
            <span aria-hidden="true">{glyph}</span> {signal}
          </button>
        );
      })}
    </div>
  );
}
