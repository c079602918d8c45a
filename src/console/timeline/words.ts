// A record as one line: the text of a message, or words for any other record.
import type { LogEntry } from '../../protocol/operator-api.ts';
import { spanText } from '../ui/time.tsx';

const MODES: Readonly<Record<string, string>> = {
  auto: 'auto',
  mention_only: 'mute: only when mentioned',
  follow: 'follow',
  left: 'left',
};

const CORRECTED: Readonly<Record<string, (agent: string) => string>> = {
  should_have_answered: (agent) => `said that ${agent} should have answered`,
  should_have_stayed_quiet: (agent) => `said that ${agent} should have stayed quiet`,
  withdrawn: (agent) => `took back what was said about ${agent}`,
};

export function lineOf(entry: LogEntry): string {
  const {
    type,
    text,
    signal,
    agent,
    mode,
    op,
    phase,
    ttlMs,
    blockedOn,
    recipients,
    outcome,
    error,
    label,
    verdict,
  } = entry;
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
      return `set ${agent ?? 'its'} mode to ${MODES[mode ?? ''] ?? mode ?? ''}`;
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
    case 'correction':
      return CORRECTED[label ?? '']?.(agent ?? 'an agent') ?? type;
    case 'opinion':
      return `a second opinion: ${verdict === 'for' ? 'it is' : 'it is not'} for ${agent ?? 'an agent'}`;
    case 'tick':
      return 'something became due';
    default:
      return type;
  }
}

export function placeText({ conversation }: Pick<LogEntry, 'conversation'>): string {
  const { kind, id, title, parentId } = conversation;
  if (kind === 'dm') return 'direct message';
  if (kind === 'thread') return title === undefined ? `thread in #${parentId ?? id}` : `thread ${title}`;
  return `#${title ?? id}`;
}
