// A link: one live session of one agent as the deliver step sees it, over any transport (WebSocket, stdio, webhook,
// memory). The newest link of an agent fences the older ones.
import type { Agreement } from '../../protocol/initialize.ts';
import type { CloseReason } from '../../transport/transport.ts';

export interface Link {
  agent: string;
  /** From the session row. The link with the greater epoch is newer. */
  epoch: number;
  agreement: Agreement;
  request(method: string, params: unknown, timeoutMs: number): Promise<LinkAnswer>;
  notify(method: string, params: unknown): void;
  close(reason: CloseReason): void;
}

export type LinkAnswer =
  | { type: 'result'; result: unknown }
  | { type: 'error'; message: string; retryable: boolean }
  | { type: 'timeout' }
  | { type: 'closed' };
