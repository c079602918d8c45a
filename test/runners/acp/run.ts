// `lead` of a host in memory, answered for by an ACP agent in a process of its own. The process runs in real time and
// the host under a virtual clock: a test waits for what the agent says it saw, then lets time pass.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentLog, TurnUsage } from '../../../src/agent/index.ts';
import { type AcpOptions, acpRunner } from '../../../src/agent/runners/acp.ts';
import { interruptsOf, type Runner } from '../../../src/agent/runners/runner.ts';
import type { World } from '../../agent/harness.ts';

const AGENT = join(import.meta.dirname, 'agent.ts');

export interface AcpRan {
  runner: Runner;
  children: ChildProcessWithoutNullStreams[];
  /** What went to the log, `level message: detail`. */
  log: string[];
  /** Resolves when the log has so many lines with this text. No time passes. */
  logged: (text: string, times?: number) => Promise<void>;
  /** What the turns have told of their cost. */
  usages: TurnUsage[];
  /** What the agent saw, in order. */
  saw: (what: string) => string[];
}

/** `has` is what the agent has beyond the least, `folder` where it keeps its sessions. */
export interface AgentGiven {
  has?: string;
  folder?: string;
}

export function acpIn(
  world: World,
  more: Partial<AcpOptions> = {},
  { has = '', folder = mkdtempSync(join(tmpdir(), 'earshot-acp-')) }: AgentGiven = {},
): AcpRan {
  const children: ChildProcessWithoutNullStreams[] = [];
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const log = logInto((line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const runner = acpRunner({
    command: process.execPath,
    args: [AGENT, folder, has],
    clock: world.clock,
    log,
    spawn(command, args, { env, cwd }) {
      const child = spawn(command, args, { env, cwd, detached: true });
      children.push(child);
      return child;
    },
    ...more,
  });
  const usages: TurnUsage[] = [];
  world
    .agent('lead', { log, offers: 'take', interrupts: interruptsOf(runner.capabilities) })
    .onTurn((turn) => {
      const tell = turn.usage.bind(turn);
      turn.usage = (usage) => {
        usages.push(usage);
        tell(usage);
      };
      return runner(turn);
    });
  return {
    runner,
    usages,
    children,
    log: lines,
    logged: (text, times = 1) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (lines.filter((line) => line.includes(text)).length < times) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    saw: (what) =>
      lines
        .flatMap((line) => /standard error: saw (.*)/.exec(line)?.[1] ?? [])
        .filter((one) => one.startsWith(what)),
  };
}

function logInto(keep: (line: string) => void): AgentLog {
  const at =
    (level: string): AgentLog['info'] =>
    (fields, message) => {
      const { err, line } = fields;
      const detail = err instanceof Error ? err.message : typeof line === 'string' ? line : '';
      keep(`${level} ${message}${detail === '' ? '' : `: ${detail}`}`);
    };
  return { debug() {}, info: at('info'), warn: at('warn'), error: at('error') };
}
