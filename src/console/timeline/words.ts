// A record as one line: the text of a message, or words for any other record.
import type { LogEntry } from '../../protocol/operator-api.ts';
import { spanText } from '../ui/time.tsx';

export function lineOf(entry: LogEntry): string {
  const { type, text, signal, agent, mode, op, phase, ttlMs, blockedOn, recipients, outcome, error } = entry;
  switch (type) {
    case 'message':
      return text ?? '(no text)';
    case 'edit':
      return `edited: ${text ?? ''}`;
    case 'delete':
      return 'deleted a message';
    case 'reaction':
      return `reacted: ${signal ?? ''}`;
    case 'mode':
      return `set ${agent ?? 'its'} mode to ${mode ?? ''}`;
    case 'claim':
      return op === 'release' ? 'released a claim' : op === 'renew' ? 'renewed a claim' : 'claimed';
    case 'focus':
      return ttlMs === 0
        ? 'ended its focus'
        : `asked to be left alone${ttlMs === undefined ? '' : ` for ${spanText(ttlMs)}`}`;
    case 'turn':
      if (outcome === 'failed') return `failed: ${error ?? 'no reason was given'}`;
      return phase === 'ended' ? 'ended a turn' : 'started a turn';
    case 'disengage':
      return 'disengaged';
    case 'resolve':
      return 'marked it resolved';
    case 'progress':
      return `progress: ${text ?? ''}`;
    case 'membership':
      return 'who is here has changed';
    case 'typing':
      return 'is typing';
    case 'escalation':
      return `${blockedOn ?? 'somebody'} does not answer: ${recipients?.join(', ') ?? 'somebody else'} is asked now`;
    case 'tick':
      return 'something became due';
    default:
      return type;
  }
}

export function placeText({ conversation }: Pick<LogEntry, 'conversation'>): string {
  const { kind, id, title } = conversation;
  if (kind === 'dm') return 'direct message';
  if (kind === 'thread') return `thread ${title ?? id}`;
  return `#${title ?? id}`;
}
