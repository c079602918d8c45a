// What a tool is given besides its arguments: who calls, and the steps of the pipeline it goes through. A tool never
// touches the store's rows of another agent; what its caller may not see does not exist for it.
import type { WireError } from '../../protocol/errors.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolInput, ToolResult } from '../../protocol/tools.ts';
import type { Puller } from '../deliver/pull.ts';
import type { Committer } from '../ingest/committer.ts';
import type { AuditTrail, CallAudit } from '../kernel/audit.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Places } from '../kernel/conversation.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { AttachmentReader } from '../read/attachment-reader.ts';
import type { OutboundLimit } from '../security/rate-limit.ts';

/** What every tool of every agent shares. */
export interface ToolDeps {
  context: HostContext;
  committer: Committer;
  places: Places;
  posts: PostsUnderWay;
  outbound: OutboundLimit;
  puller: Puller;
  attachments: AttachmentReader;
  trail: AuditTrail;
  setFocus(agent: string, until: number): void;
}

/** One caller. */
export interface ToolCaller extends ToolDeps {
  agent: string;
  /** Aborted when the caller is gone. */
  signal: AbortSignal | undefined;
}

/** One call. */
export interface ToolContext extends ToolCaller {
  /**
   * The audit row of this call. A tool that changes something puts it into its unit, so that the change and the audit
   * are one commit. `refused` names the refusal, if the call is refused. The row of a call that did not write it follows.
   */
  audit: CallAudit['write'];
}

export type ToolAnswer<N extends ToolName> =
  /** `shown`: without what a model cannot read anyway. */
  | { ok: true; result: ToolResult<N>; shown?: Readonly<Record<string, unknown>> }
  | { ok: false; error: WireError };

export type ToolHandlers = {
  [N in ToolName]: (input: ToolInput<N>, tools: ToolContext) => Promise<ToolAnswer<N>>;
};
