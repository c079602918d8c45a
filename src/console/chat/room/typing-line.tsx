// Who is typing and which agents are at work here. It takes up its space even when empty, so that nothing jumps.
import type { ReactNode } from 'react';
import { listedNames } from '../../../protocol/listed-names.ts';
import { useChatState } from '../context.tsx';

export function TypingLine({ conversation }: { conversation: string }): ReactNode {
  const { typing } = useChatState();
  const here = typing.filter((one) => one.conversation === conversation).map(({ author }) => author);
  const people = here.filter(({ kind }) => kind === 'human').map(({ name }) => name);
  const agents = here.filter(({ kind }) => kind !== 'human').map(({ name }) => name);
  return (
    <p className="typing-line" role="status">
      {here.length > 0 && <span className="typing-dots" aria-hidden="true" />}
      {[said(people, 'typing'), said(agents, 'at work')].filter((words) => words !== '').join(' · ')}
    </p>
  );
}

function said(names: readonly string[], what: string): string {
  if (names.length === 0) return '';
  return `${listedNames(names)} ${names.length === 1 ? 'is' : 'are'} ${what}…`;
}
