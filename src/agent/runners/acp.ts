// The `acp` runner: any agent that speaks the Agent Client Protocol over standard input and output. One process for all
// conversations, a session for each, a prompt for each turn; what it says is posted when the prompt has ended well.
import { resolve } from 'node:path';
import { cwd as currentFolder, env as inheritedEnv } from 'node:process';
import { type Clock, systemClock } from '../../runtime/clock.ts';
import { loadOptional } from '../../runtime/optional-package.ts';
import { type AgentLog, consoleLog } from '../agent-log.ts';
import { ACP_LIMITS, type AcpLimits } from './acp-limits.ts';
import { askPermission } from './acp-permission.ts';
import type { AcpKit } from './acp-turn.ts';
import type { RunnerCapabilities } from './capabilities.ts';
import { agentEnv, type Env } from './child-env.ts';
import type { Spawn } from './child.ts';
import type { Runner } from './runner.ts';

export { ACP_LIMITS, AcpFailed, type AcpLimits } from './acp-limits.ts';
export { interruptsOf, type RunnerCapabilities } from './capabilities.ts';
export type { Runner } from './runner.ts';

// Importing this file is asking for ACP, so a missing package is told right here.
const [{ AcpLinks }, { runTurn }] = await loadOptional(['@agentclientprotocol/sdk'], () =>
  Promise.all([import('./acp-links.ts'), import('./acp-turn.ts')]),
);

export const ACP_CAPABILITIES = {
  wake: true,
  steer: false,
  cancel: true,
  ack: true,
} as const satisfies RunnerCapabilities;

export interface AcpOptions {
  /** The program, looked up on the PATH. No shell: the arguments reach it as they are. */
  command: string;
  args?: readonly string[];
  /** Where it works; our own folder when left out. */
  cwd?: string;
  /** What it inherits, less Earshot's tokens; our own environment when left out. */
  env?: Env;
  /** Who is asked for permission, `human:U1`; the person the turn is about when left out. */
  approver?: string;
  clock?: Clock;
  log?: AgentLog;
  limits?: Partial<AcpLimits>;
  /** In place of the system's. Give it a process group of its own, or only the program itself is stopped. */
  spawn?: Spawn | undefined;
}

export function acpRunner(options: AcpOptions): Runner {
  const { command, args = [], approver, clock = systemClock, log = consoleLog, spawn } = options;
  const limits: AcpLimits = { ...ACP_LIMITS, ...options.limits };
  const cwd = resolve(options.cwd ?? currentFolder());
  const note = bounded(limits, (line) => log.info({ line }, command));
  const links = new AcpLinks({
    clock,
    limits,
    order: (agent) => ({
      command,
      args,
      env: agentEnv(options.env ?? inheritedEnv, agent),
      cwd,
      clock,
      limits,
      spawn,
      hooks: {
        onUpdate: (sessionId, update) => links.find(sessionId)?.run?.answer.update(update),
        onPermission: (request) => askPermission(kit, request),
        onStray: (line) => note.line(`on standard output, and no message: ${line}`),
        onErrorLine: (line) => note.line(`on standard error: ${line}`),
      },
    }),
  });
  const kit: AcpKit = { command, cwd, approver, clock, log, limits, links, note: (line) => note.line(line) };
  return Object.assign(
    (turn: Parameters<Runner>[0]) => {
      note.refill();
      return runTurn(kit, turn);
    },
    { capabilities: ACP_CAPABILITIES, close: () => links.close() },
  );
}

/** So many lines from one turn to the next, then once that there are more. */
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
