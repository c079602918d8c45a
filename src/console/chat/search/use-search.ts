// Asks the host for messages with these words, a moment after the last letter. Only the newest question is shown.
import { useCallback, useEffect, useState } from 'react';
import type { WebFound } from '../../../protocol/web-chat.ts';
import { useChatClient } from '../context.tsx';
import { chatWords } from '../wire/refusal.ts';

export interface Search {
  found: readonly WebFound[];
  state: 'idle' | 'asking' | 'done';
  problem?: string;
  /** Set when there may be more. */
  more?: () => void;
}

const AFTER_MS = 200;
const NOTHING: Answer = { question: '', found: [], asking: false };

interface Answer {
  question: string;
  found: readonly WebFound[];
  asking: boolean;
  cursor?: string | undefined;
  problem?: string;
}

export function useSearch(words: string, conversation: string | undefined): Search {
  const client = useChatClient();
  const [answer, setAnswer] = useState<Answer>(NOTHING);
  const sought = words.trim();
  const question = `${conversation ?? ''}\n${sought}`;
  const ask = useCallback(
    (before: readonly WebFound[], cursor?: string) => {
      const where = conversation === undefined ? {} : { conversation };
      const from = cursor === undefined ? {} : { cursor };
      setAnswer({ question, found: before, asking: true });
      const show = (next: Omit<Answer, 'question' | 'asking'>): void =>
        setAnswer((now) => (now.question === question ? { question, asking: false, ...next } : now));
      client.search({ words: sought, ...where, ...from }).then(
        ({ found, cursor: next }) => show({ found: [...before, ...found], cursor: next }),
        (error: unknown) => show({ found: before, problem: chatWords(error) }),
      );
    },
    [client, question, sought, conversation],
  );
  useEffect(() => {
    if (sought === '') {
      setAnswer(NOTHING);
      return undefined;
    }
    const timer = setTimeout(() => ask([]), AFTER_MS);
    return () => clearTimeout(timer);
  }, [ask, sought]);
  const { found, cursor, problem, asking } = answer;
  const stale = answer.question !== question;
  return {
    found,
    state: sought === '' ? 'idle' : asking || stale ? 'asking' : 'done',
    ...(problem === undefined ? {} : { problem }),
    ...(cursor === undefined || stale ? {} : { more: () => ask(found, cursor) }),
  };
}
