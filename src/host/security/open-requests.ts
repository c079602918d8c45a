// The requests over HTTP that each caller has open: not answered, or answered and not read. Over WebSocket a connection
// that leaves answers unread is not read from (transport/peer.ts). Over HTTP a caller may open a connection for each
// request, so its requests and unread bytes are counted over all of them.

export interface OpenRequestLimits {
  requests: number;
  unreadBytes: number;
}

export interface OpenRequests {
  /** Counts a request until its end. A refusal names the limit. */
  open(who: string): OpenRequest | keyof OpenRequestLimits;
  of(who: string): { requests: number; unreadBytes: number };
}

export interface OpenRequest {
  /** The answer is written, and this long. */
  answered(bytes: number): void;
  /** The answer was read, or the connection is gone. Safe to call twice. */
  end(): void;
}

export function createOpenRequests(limits: OpenRequestLimits): OpenRequests {
  const callers = new Map<string, { requests: number; unreadBytes: number }>();
  return {
    open(who) {
      const caller = callers.get(who) ?? { requests: 0, unreadBytes: 0 };
      if (caller.requests >= limits.requests) return 'requests';
      if (caller.unreadBytes > limits.unreadBytes) return 'unreadBytes';
      callers.set(who, caller);
      caller.requests++;
      let unread = 0;
      let ended = false;
      return {
        answered(bytes) {
          if (ended) return;
          unread += bytes;
          caller.unreadBytes += bytes;
        },
        end() {
          if (ended) return;
          ended = true;
          caller.requests--;
          caller.unreadBytes -= unread;
          if (caller.requests === 0) callers.delete(who);
        },
      };
    },
    of: (who) => ({ requests: 0, unreadBytes: 0, ...callers.get(who) }),
  };
}
