// The `acp` runner: any agent that speaks the Agent Client Protocol over standard input and output. There is one
// process for all conversations, one session per conversation and one prompt per turn. Its answer is posted when the
// prompt ends.
import { resolve } from 'node:path';
import { cwd as currentFolder, env as inheritedEnv } from 'node:process';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { loadOptional } from '../../runtime/optional-package.ts';
import { type AgentLog, consoleLog } from '../agent-deps.ts';
import { ACP_LIMITS, type AcpLimits } from './acp-limits.ts';
import { askPermission } from './acp-permission.ts';
import type { ChatTools } from './acp-sessions.ts';
import type { AcpDeps } from './acp-turn.ts';
import { noteCost } from './acp-usage.ts';
import { agentEnv, type Env, type Spawn } from './child.ts';
import { withoutKeys } from './redacted.ts';
import type { RunnerCapabilities, Runner } from './runner.ts';
import { type SessionMemory, shortSessionMemory } from './session-memory.ts';

export { ACP_LIMITS, AcpFailed, type AcpLimits } from './acp-limits.ts';
export { interruptsOf, type RunnerCapabilities } from './runner.ts';
export type { Runner } from './runner.ts';
export type { ChatTools } from './acp-sessions.ts';
export { type SessionMemory, sessionFile } from './session-memory.ts';

// Importing this file is asking for ACP, so a missing package is told right here.
const [{ AcpLinks }, { runTurn }] = await loadOptional(['@agentclientprotocol/sdk'], () =>
  Promise.all([import('./acp-links.ts'), import('./acp-turn.ts')]),
);

export const ACP_CAPABILITIES = {
  wake: true,
  steer: false,
  cancel: true,
  ack: true,
  tools: false,
} as const satisfies RunnerCapabilities;

export interface AcpOptions {
  /** The program, looked up on the PATH. No shell: the arguments reach it as they are. */
  command: string;
  args?: readonly string[];
  /** The folder it works in. Default: our own. */
  cwd?: string;
  /** The environment it inherits, without Earshot's tokens. Default: our own. */
  env?: Env;
  /** Who may give permission, such as `human:U1`. Default: the person the turn is about. */
  approvers?: readonly string[];
  /** The mode and the model of every session, by the names that the agent offers. */
  mode?: string | undefined;
  model?: string | undefined;
  /** Where session ids are kept, so that a restart goes on with them. Default: they are lost with the process. */
  memory?: SessionMemory | undefined;
  /** The host's `/mcp` with the agent's token: the chat tools, for an agent that takes MCP servers over HTTP. */
  tools?: ChatTools | undefined;
  clock?: Clock;
  log?: AgentLog;
  limits?: Partial<AcpLimits>;
  /** Replaces the system's spawn. Give the program its own process group, or its children are not stopped with it. */
  spawn?: Spawn | undefined;
}

export function acpRunner(options: AcpOptions): Runner {
  const { command, args = [], approvers = [], clock = systemClock, log = consoleLog, spawn } = options;
  const limits: AcpLimits = { ...ACP_LIMITS, ...options.limits };
  const cwd = resolve(options.cwd ?? currentFolder());
  const note = bounded(limits, (line) => log.info({ line: withoutKeys(line) }, command));
  const { mode, model, memory = shortSessionMemory(), tools } = options;
  const links = new AcpLinks({
    clock,
    limits,
    sessions: {
      command,
      cwd,
      clock,
      limits,
      settings: { mode, model },
      memory,
      tools,
      note: (line) => note.line(line),
    },
    order: (agent) => ({
      command,
      args,
      env: agentEnv(options.env ?? inheritedEnv, agent),
      cwd,
      clock,
      limits,
      spawn,
      hooks: {
        onUpdate: (sessionId, update) => {
          const session = links.find(sessionId);
          session?.run?.answer.update(update);
          if (session !== undefined) noteCost(session.cost, update);
        },
        onPermission: (request) => askPermission(deps, request),
        onStray: (line) => note.line(`on standard output, and no message: ${line}`),
        onErrorLine: (line) => note.line(`on standard error: ${line}`),
      },
    }),
  });
  const deps: AcpDeps = {
    command,
    cwd,
    approvers,
    ids: { given: false },
    clock,
    log,
    limits,
    links,
    note: (line) => note.line(line),
  };
  return Object.assign(
    (turn: Parameters<Runner>[0]) => {
      note.refill();
      return runTurn(deps, turn);
    },
    { capabilities: ACP_CAPABILITIES, close: () => links.close() },
  );
}

/** Writes a limited number of lines per turn, then once that there are more. */
function bounded({ logLines }: AcpLimits, write: (line: string) => void) {
  let left = logLines;
  return {
    refill(): void {
      left = logLines;
    },
    line(line: string): void {
      left -= 1;
      if (left >= 0) write(line);
      else if (left === -1) write(`[… after ${logLines} lines the rest is left out]`);
    },
  };
}
