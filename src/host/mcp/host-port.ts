// What an MCP server asks of the host, in this process (agent-servers.ts) or over HTTP (remote-caller.ts). A report of a
// turn that fails is no error: the lease of what the turn took then decides.
import type { RunToolCall } from './mcp-server.ts';

export interface HostPort {
  call: RunToolCall;
  /** Undefined when the host did not take the report. */
  startTurn(
    turnId: string,
    eventIds: readonly string[],
    signal: AbortSignal,
  ): Promise<StartedTurn | undefined>;
  endTurn(turnId: string, outcome: 'answered' | 'silent', signal: AbortSignal): Promise<void>;
}

export interface StartedTurn {
  /** Events that must not be answered any more. */
  superseded: readonly string[];
  /** What was said meanwhile and not to the agent. */
  seen: readonly SeenLine[];
  /** Who is in the conversation: the agent itself, other agents, then people. */
  participants?: readonly SeenLine['author'][] | undefined;
  moreParticipants?: number | undefined;
}

/** A line that was said while the agent was quiet. */
export interface SeenLine {
  author: { kind: string; id: string; displayName?: string | undefined };
  content: readonly { type: string; text?: string | undefined }[];
  /** Whom it was for. Missing: nobody in particular. */
  to?: readonly string[] | undefined;
}
