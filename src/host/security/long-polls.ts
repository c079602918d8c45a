// The long polls of each caller. A caller has few at once: each is woken by every delivery. One more ends the oldest,
// not the newest: the connection of the oldest may be dead behind a proxy, and the newest is the one that is read. A
// caller that asks without a pause is refused instead, which costs a tenth of ending a poll and beginning another.

export interface Polls {
  /** Undefined when the caller has as many as it may, and has replaced too many. */
  begin(who: string): Poll | undefined;
  of(who: string): number;
}

export interface Poll {
  /** Aborted when a newer poll took its place. */
  readonly replaced: AbortSignal;
  end(): void;
}

export interface PollLimits {
  each: number;
  mayReplace: (who: string) => boolean;
  /** One was replaced or not begun. */
  onRefused: (who: string) => void;
}

/** Given as the reason, because an error of its own for each one takes longer than everything else here. */
const REPLACED = 'replaced by a newer poll';

export function createPolls({ each, mayReplace, onRefused }: PollLimits): Polls {
  /** Oldest first. */
  const open = new Map<string, Set<AbortController>>();
  return {
    begin(who) {
      const polls = open.get(who) ?? new Set();
      const [oldest] = polls;
      const isFull = polls.size >= each && oldest !== undefined;
      if (isFull) onRefused(who);
      if (isFull && !mayReplace(who)) return undefined;
      open.set(who, polls);
      const poll = new AbortController();
      polls.add(poll);
      if (isFull) {
        polls.delete(oldest);
        oldest.abort(REPLACED);
      }
      return {
        replaced: poll.signal,
        end() {
          polls.delete(poll);
          if (polls.size === 0 && open.get(who) === polls) open.delete(who);
        },
      };
    },
    of: (who) => open.get(who)?.size ?? 0,
  };
}
