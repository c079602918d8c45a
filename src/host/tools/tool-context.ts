// What a tool is given besides its arguments: its caller, and the steps of the pipeline that it uses. For a tool, what
// its caller may not read does not exist.
import type { WireError } from '../../protocol/errors.ts';
import type { Agreement } from '../../protocol/initialize.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolInput, ToolResult } from '../../protocol/tools.ts';
import type { Puller } from '../deliver/pull.ts';
import type { Committer } from '../ingest/committer.ts';
import type { AuditTrail, CallAudit } from '../kernel/audit.ts';
import type { HostContext } from '../kernel/context.ts';
import type { Places } from '../kernel/conversation.ts';
import type { PostsUnderWay } from '../outbox/posts-under-way.ts';
import type { AttachmentReader } from '../read/attachment-reader.ts';
import type { ParticipantsOf } from '../read/participants.ts';
import type { ReadTexts } from '../read/read-texts.ts';
import type { Growing } from '../turn/growing.ts';
import type { Prompts } from '../turn/prompts.ts';
import type { OutboundLimit } from '../security/rate-limit.ts';
import type { Surface } from '../../surfaces/surface.ts';

/** What every tool of every agent shares. */
export interface ToolDeps {
  context: HostContext;
  committer: Committer;
  places: Places;
  posts: PostsUnderWay;
  growing: Growing;
  outbound: OutboundLimit;
  puller: Puller;
  participants: ParticipantsOf;
  prompts: Prompts;
  attachments: AttachmentReader;
  /** What agents have read, to notice quotes. */
  texts: ReadTexts;
  surface(id: string): Surface | undefined;
  trail: AuditTrail;
  setFocus(agent: string, until: number): void;
  /** The agent is there: it called. */
  called(agent: string): void;
}

/** What one caller's tools share. */
export interface ToolCaller extends ToolDeps {
  agent: string;
  /** What the caller agreed to, over the way on which it calls. */
  agreement: Agreement;
  /** Aborted when the caller has disconnected. */
  signal: AbortSignal | undefined;
  /** The session over which it calls, if it calls over one. A newer one ends it. */
  session?: { epoch: number } | undefined;
}

/** What one call is given. */
export interface ToolContext extends ToolCaller {
  /**
   * The audit row of this call. A tool that changes something writes it in its unit, so that the change and the audit
   * are one commit. `refused` names the refusal, if there is one. For any other call the row is written afterwards.
   */
  audit: CallAudit['write'];
}

export type ToolAnswer<N extends ToolName> =
  /** `shown`: the result without what a model cannot read, such as bytes. */
  | { ok: true; result: ToolResult<N>; shown?: Readonly<Record<string, unknown>> }
  | { ok: false; error: WireError };

export type ToolHandlers = {
  [N in ToolName]: (input: ToolInput<N>, tools: ToolContext) => Promise<ToolAnswer<N>>;
};
