// What a tool is given besides its arguments: who calls, and the steps of the pipeline it goes through. A tool never
// touches the store's rows of another agent; what its caller may not see does not exist for it.
import type { WireError } from '../../protocol/errors.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolInput, ToolResult } from '../../protocol/tools.ts';
import type { AttachmentReader } from '../read/attachment-reader.ts';
import type { HostContext } from '../kernel/context.ts';
import type { IngestDeps } from '../ingest/ingest.ts';
import type { OutboundLimit } from '../send/outbound-limit.ts';
import type { Places } from '../kernel/places.ts';
import type { Poster } from '../send/post.ts';
import type { Puller } from '../deliver/pull.ts';

export interface ToolContext {
  agent: string;
  context: HostContext;
  ingest: IngestDeps;
  places: Places;
  poster: Poster;
  outbound: OutboundLimit;
  puller: Puller;
  attachments: AttachmentReader;
  /** Aborted when the caller is gone. */
  signal: AbortSignal | undefined;
  setFocus(agent: string, until: number): void;
}

export type ToolAnswer<N extends ToolName> =
  /** `shown`: without what a model cannot read anyway. */
  | { ok: true; result: ToolResult<N>; shown?: Readonly<Record<string, unknown>> }
  | { ok: false; error: WireError };

export type ToolHandlers = {
  [N in ToolName]: (input: ToolInput<N>, tools: ToolContext) => Promise<ToolAnswer<N>>;
};

export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
