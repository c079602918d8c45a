// Formats one event or piece of news for `earshot tail`: a line, and one more for each agent's decision.
import type { LogEntry } from '../protocol/operator-api.ts';
import type { InboundDecision } from '../protocol/vocabulary.ts';
import { type Colour, displayWidth } from '../runtime/terminal.ts';
import type { Io } from './io.ts';
import { shownLine } from './terminal-text.ts';
import type { StreamEvent } from './tail.ts';

const COLOURS: Record<InboundDecision, Colour> = {
  engage: 'green',
  observe: 'dim',
  denied: 'red',
  claim: 'magenta',
};

/** Before what stands below an event's first line. */
const INDENT = ' '.repeat(11);

export function eventText(event: LogEntry, { paint, columns }: Io): string {
  const { eventId, at, type, conversation, author, text, decisions } = event;
  const said = type === 'message' ? (text ?? '') : `(${actText(event)})`;
  const head = `${at.slice(11, 19)} ${conversation.id} ${author.displayName ?? author.id}: ${said}`;
  const rows = decisions.map(({ agent, decision, policy, mode, reason }) =>
    paint(
      COLOURS[decision],
      `${INDENT}${shownLine(`${agent} ${policy} ${mode} (${reason})`, columns - INDENT.length)}`,
    ),
  );
  // The id is there for `earshot why`: behind the text, or below it where there is no room.
  const fits = displayWidth(head) + displayWidth(eventId) + 2 <= columns;
  const id = paint('dim', shownLine(eventId, columns));
  const first = fits ? [`${shownLine(head, columns)}  ${id}`] : [shownLine(head, columns), `${INDENT}${id}`];
  return [...first, ...rows].map((line) => `${line}\n`).join('');
}

/** Types whose name says little. */
const ACTS: Readonly<Record<string, string>> = {
  membership: 'who is here has changed',
  typing: 'is typing',
};

function actText(event: LogEntry): string {
  const { type, signal, text, op, phase, mode, agent, targetEventId, progress, total } = event;
  const { blockedOn, recipients, outcome, error } = event;
  const done = progress === undefined || total === undefined ? progress : `${progress}/${total}`;
  const about = targetEventId === undefined ? undefined : `of ${targetEventId}`;
  const asked = blockedOn === undefined ? undefined : `from ${blockedOn} to ${recipients?.join(', ') ?? ''}`;
  return [ACTS[type] ?? type, done, op, phase, outcome, error, mode, agent, signal, about, asked, text]
    .filter((part) => part !== undefined)
    .join(' ');
}

export function newsText({ type, data }: StreamEvent, io: Io): string {
  const word = (key: string): string => (typeof data[key] === 'string' ? data[key] : '');
  switch (type) {
    case 'logged':
      return eventText(data as unknown as LogEntry, io);
    case 'settled':
      return `  ${shownLine(`${word('agent')} settled ${word('eventId')}: ${word('disposition')} ${word('why')}`, io.columns)}\n`;
    case 'session':
      return `  ${word('agent')} ${data['connected'] === true ? 'connected' : 'disconnected'}\n`;
    case 'inbox':
      return `  ${io.paint('yellow', shownLine(`a person is asked: ${word('key')}`, io.columns))}\n`;
    default:
      return '';
  }
}
