// An agent of the SDK in the process of its host.
import { connect, type AgentConnection } from '../../src/agent/connect.ts';
import type { EmbeddedHost } from '../../src/embed/start-host.ts';

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

/** It answers everything alike. */
export function agentOn(host: EmbeddedHost, agent: string, answer: string): AgentConnection {
  const transport = () => host.link(agent);
  return connect({ agent, transport, log: QUIET, typing: false, compose: { quietMs: 10 } }).onTurn(
    () => answer,
  );
}
