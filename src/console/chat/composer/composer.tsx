// The field to write in. Enter sends, Shift+Enter begins a line, @ completes a mention, the up arrow in an empty field
// edits the person's own last message, Escape cancels a reply or an edit.
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { WebMessage } from '../../../protocol/web-chat.ts';
import { CHAT_ICONS } from '../icons.tsx';
import { TEXT_CHARS } from '../limits.ts';
import { useChatClient, useChatState, useTrays } from '../context.tsx';
import { chatWords } from '../wire/refusal.ts';
import { About } from './about.tsx';
import { AttachButton } from './attach-button.tsx';
import { mentionAt, candidatesFor, completed, isWrittenOut } from './completion.ts';
import { CompletionList, optionId } from './completion-list.tsx';
import type { MessageDraft } from './draft.ts';
import { TrayList } from './tray-list.tsx';
import { Problem } from '../../ui/problem.tsx';

interface ComposerProps {
  conversation: string;
  placeholder: string;
  draft: MessageDraft;
  setDraft: (draft: MessageDraft) => void;
  /** The person's own newest message here. */
  lastOwn: () => WebMessage | undefined;
  /** Whether it takes the focus when it appears. */
  autoFocus?: boolean;
}

/** From this length on, the field shows how many characters are left. */
const NEARLY_FULL = TEXT_CHARS - 1_000;

export function MessageComposer({
  conversation,
  placeholder,
  draft,
  setDraft,
  lastOwn,
  autoFocus,
}: ComposerProps): ReactNode {
  const client = useChatClient();
  const trays = useTrays();
  const state = useChatState();
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState(0);
  const [dismissed, setDismissed] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const { text, editing, replyTo } = draft;

  const tray = useSyncExternalStore(trays.subscribe, () => trays.of(conversation));
  const files = editing === undefined ? tray.files : [];
  const ready = files.every(({ uploaded }) => uploaded !== undefined);
  const sendable = (text.trim() !== '' || files.length > 0) && text.length <= TEXT_CHARS && ready;

  const asked = mentionAt(text, caret);
  const candidates = asked === undefined || asked.from === dismissed ? [] : candidatesFor(state, asked.query);
  const open = candidates.length > 0;
  const listId = `completion-${conversation}`;
  const at = Math.min(chosen, candidates.length - 1);

  useGrowing(field, text);
  const caretTo = useCaret(field);
  const about = editing?.eventId ?? replyTo?.eventId;
  useEffect(() => {
    if (about !== undefined || autoFocus === true) field.current?.focus();
  }, [about, autoFocus]);

  const write = (next: string, to?: number): void => {
    setDraft({ ...draft, text: next });
    setChosen(0);
    if (next.trim() !== '' && editing === undefined) client.typing(conversation, true);
    else client.typing(conversation, false);
    if (to === undefined) return;
    setCaret(to);
    caretTo.current = to;
  };
  const choose = (index: number): void => {
    const candidate = candidates[index];
    if (asked === undefined || candidate === undefined) return;
    const done = completed(text, caret, asked, candidate);
    write(done.text, done.caret);
    field.current?.focus();
  };
  const send = (): void => {
    const said = text.trim();
    if (!sendable) return;
    setProblem(undefined);
    if (editing === undefined) {
      client.post(conversation, said, replyTo?.eventId, trays.take(conversation));
    } else if (said !== editing.text) {
      client
        .edit(editing.eventId, said)
        .catch((error: unknown) => setProblem(`Not changed. ${chatWords(error)}`));
    }
    setDraft({ text: '' });
    setDismissed(undefined);
  };
  const pressed = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // An input method uses Enter and arrows itself.
    if (event.nativeEvent.isComposing) return;
    if (open && inList(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === 'Escape' && about !== undefined) {
      event.stopPropagation();
      setDraft({ text: editing === undefined ? text : '' });
    } else if (event.key === 'ArrowUp' && text === '' && editing === undefined) {
      const own = lastOwn();
      if (own === undefined) return;
      event.preventDefault();
      setDraft({ text: own.text, editing: own });
      setCaret(own.text.length);
    }
  };
  /** Handles the keys of the open list. True when it used the key. */
  const inList = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    // Who has written a name out wants to send it, unless they have gone to another one in the list.
    if (event.key === 'Enter' && chosen === 0 && asked !== undefined && isWrittenOut(asked, candidates))
      return false;
    if (step !== 0) setChosen((at + step + candidates.length) % candidates.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(at);
    else if (event.key === 'Escape') setDismissed(asked?.from);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {open && <CompletionList id={listId} candidates={candidates} chosen={at} choose={choose} />}
      <About draft={draft} cancel={() => setDraft({ text: editing === undefined ? text : '' })} />
      <Problem words={problem} small />
      {editing === undefined && (
        <TrayList
          tray={tray}
          remove={(key) => trays.remove(conversation, key)}
          again={(key) => trays.again(conversation, key)}
        />
      )}
      <div className="composer-line">
        <AttachButton
          disabled={editing !== undefined}
          choose={(picked) => {
            trays.add(conversation, picked);
            field.current?.focus();
          }}
        />
        <textarea
          ref={field}
          className="input composer-text"
          rows={1}
          value={text}
          placeholder={placeholder}
          aria-label={placeholder}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={open ? listId : undefined}
          aria-activedescendant={open ? optionId(listId, at) : undefined}
          onChange={(event) => {
            const { value, selectionStart } = event.target;
            setCaret(selectionStart);
            if (mentionAt(value, selectionStart) === undefined) setDismissed(undefined);
            write(value);
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onBlur={() => setDismissed(asked?.from)}
          onKeyDown={pressed}
        />
        <button type="submit" className="button send" data-tone="primary" disabled={!sendable}>
          {CHAT_ICONS.send}
          <span className="hidden">{editing === undefined ? 'Send' : 'Save'}</span>
        </button>
      </div>
      {text.length > NEARLY_FULL && (
        <p className="small" role="status" data-over={text.length > TEXT_CHARS ? '' : undefined}>
          {text.length > TEXT_CHARS
            ? `${counted(text.length - TEXT_CHARS)} too many: send it in parts.`
            : `${counted(TEXT_CHARS - text.length)} left.`}
        </p>
      )}
    </form>
  );
}

function counted(characters: number): string {
  return characters === 1 ? '1 character' : `${characters.toLocaleString()} characters`;
}

/** Where the caret goes with the next text. At once: a frame later the next letters may be there, and it would jump back. */
function useCaret(field: React.RefObject<HTMLTextAreaElement | null>): React.RefObject<number | undefined> {
  const to = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (to.current !== undefined) field.current?.setSelectionRange(to.current, to.current);
    to.current = undefined;
  });
  return to;
}

const TALLEST_PX = 180;

function useGrowing(field: React.RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (element === null) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(TALLEST_PX, element.scrollHeight + 2)}px`;
  }, [field, text]);
}
