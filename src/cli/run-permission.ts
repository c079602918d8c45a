// How a known program asks the people in chat: it starts `earshot mcp --permission` and calls its only tool. The server
// finds the agent's token in the data folder, so none stands in arguments or in the program's environment.
import { fileURLToPath } from 'node:url';
import type { PermissionServer } from '../agent/runners/presets/preset.ts';
import { readTokens } from './data-dir.ts';
import type { RunnerPlace } from './run-runner.ts';

/** The launcher, which is at the same place beside the sources and beside the compiled files. */
const LAUNCHER = fileURLToPath(new URL('../../bin/earshot.js', import.meta.url));

/** Called for each turn, because a restarted host may listen elsewhere. Undefined: it cannot ask, and the log says why. */
export function permissionServer(
  { agent, way, log }: RunnerPlace,
  program: string,
  approver: string | undefined,
): (() => PermissionServer) | undefined {
  const { token, dataDir } = way;
  if (readTokens(dataDir)?.agents[agent] !== token) {
    const remedy = 'start it with the data folder of the host (--data) and without EARSHOT_TOKEN';
    log.warn({}, `${program} cannot ask in chat, because ${dataDir} does not hold its token; ${remedy}`);
    return undefined;
  }
  const who = approver === undefined ? [] : ['--approver', approver];
  return () => {
    const url = way.url().replace(/^ws/, 'http');
    const args = ['mcp', '--permission', '--agent', agent, '--data', dataDir, '--url', url, ...who];
    return { command: process.execPath, args: [LAUNCHER, ...args] };
  };
}
