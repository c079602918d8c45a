// The sessions of one agent program, one per conversation, so that each conversation has its own memory. Their number
// is bounded: the least recently used one is closed. A session of an earlier process is taken up again where the agent
// can (`session/resume`, `session/load`); else its conversation starts a new one.
import { type AgentCapabilities, type McpServer, methods, RequestError } from '@agentclientprotocol/sdk';
import type { Clock } from '../../runtime/clock.ts';
import type { Answer, Turn } from '../turn.ts';
import type { AcpAnswer } from './acp-answer.ts';
import { requestLine } from './acp-failure.ts';
import { AcpFailed, type AcpLimits } from './acp-limits.ts';
import type { AcpProcess } from './acp-process.ts';
import { type AcpSettings, applySettings } from './acp-settings.ts';
import type { SessionCost } from './acp-usage.ts';
import type { SessionMemory } from './session-memory.ts';

/** What runs in a session now. */
export interface AcpRun {
  turn: Turn;
  answer: AcpAnswer;
  /** What people said instead of yes or no. */
  said: Answer[];
  /** A question was asked, so the turn has acted. */
  asked: boolean;
}

export interface AcpSession {
  id: string;
  conversation: string;
  /** The rules and the participants that the agent was told, with how this conversation began. */
  knows: string | undefined;
  /** How often in a row a prompt has failed. */
  failures: number;
  /** How often the same permission was asked for. */
  questions: Map<string, number>;
  cost: SessionCost;
  run: AcpRun | undefined;
}

/** The chat tools over MCP, for an agent that takes a server over HTTP. */
export interface ChatTools {
  /** Asked for every session, because a host may come back at another address. */
  url: () => string;
  token: string;
}

export interface SessionsOptions {
  command: string;
  cwd: string;
  clock: Clock;
  limits: AcpLimits;
  settings: AcpSettings;
  memory: SessionMemory;
  tools: ChatTools | undefined;
  note: (line: string) => void;
}

/** After so many failures in a row a session is given up: its memory itself may be what fails. */
const FAILURES = 2;

/** So often an agent is asked whether it has sent everything. One that waits a timer's tick is heard, too. */
const QUIET_ROUNDS = 5;

export class AcpSessions {
  readonly #program: AcpProcess;
  readonly #options: SessionsOptions;
  /** By conversation, least recently used first. */
  readonly #byConversation = new Map<string, AcpSession>();
  readonly #byId = new Map<string, AcpSession>();
  readonly #opening = new Map<string, Promise<AcpSession>>();

  constructor(program: AcpProcess, options: SessionsOptions) {
    this.#program = program;
    this.#options = options;
  }

  find(id: string): AcpSession | undefined {
    return this.#byId.get(id);
  }

  async of(conversation: string): Promise<AcpSession> {
    const known = this.#byConversation.get(conversation);
    if (known !== undefined) {
      this.#byConversation.delete(conversation);
      this.#byConversation.set(conversation, known);
      return known;
    }
    const opening =
      this.#opening.get(conversation) ??
      this.#begin(conversation).finally(() => this.#opening.delete(conversation));
    this.#opening.set(conversation, opening);
    return opening;
  }

  /** A prompt succeeded: the session is worth going on with after a restart. */
  succeeded(session: AcpSession): void {
    session.failures = 0;
    const { memory } = this.#options;
    if (session.knows !== undefined && this.#resumes !== undefined)
      memory.keep(session.conversation, session.id);
  }

  /** A prompt failed. The agent may have forgotten it, so the next one tells the rules again. */
  failed(session: AcpSession): void {
    session.knows = undefined;
    session.failures += 1;
    if (session.failures >= FAILURES) this.drop(session);
  }

  /** Forgets a session that the agent no longer knows or that is in an unknown state. */
  drop(session: AcpSession): void {
    this.#leave(session);
    this.#options.memory.forget(session.conversation);
  }

  #leave(session: AcpSession): void {
    this.#byId.delete(session.id);
    for (const [key, other] of this.#byConversation) if (other === session) this.#byConversation.delete(key);
  }

  async #begin(conversation: string): Promise<AcpSession> {
    this.#makeRoom();
    const resumed = await this.#resume(conversation);
    const id = resumed ?? (await this.#open());
    await this.#quiet();
    const session: AcpSession = {
      id,
      conversation,
      // A resumed one knows how it began, but not who is here by now.
      knows: resumed === undefined ? undefined : '',
      failures: 0,
      questions: new Map(),
      cost: { totalUsd: undefined, toldUsd: resumed === undefined ? 0 : undefined },
      run: undefined,
    };
    this.#byConversation.set(conversation, session);
    this.#byId.set(id, session);
    return session;
  }

  get #resumes(): 'resume' | 'load' | undefined {
    const { sessionCapabilities, loadSession } = this.#program.capabilities;
    if (sessionCapabilities?.resume) return 'resume';
    return loadSession === true ? 'load' : undefined;
  }

  /** The id of the session of an earlier process, if the agent took it up. */
  async #resume(conversation: string): Promise<string | undefined> {
    const { memory, cwd, limits, note } = this.#options;
    const sessionId = memory.get(conversation);
    const way = this.#resumes;
    if (sessionId === undefined || way === undefined) return undefined;
    try {
      const opened = await this.#program.ask(
        (agent) => agent.request(methods.agent.session[way], { sessionId, cwd, mcpServers: this.#servers() }),
        limits.startMs,
      );
      await this.#settle(sessionId, opened);
      return sessionId;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      note(`could not go on with session ${sessionId}, so a new one is begun: ${requestLine(error)}`);
      memory.forget(conversation);
      return undefined;
    }
  }

  async #open(): Promise<string> {
    const { command, cwd, limits } = this.#options;
    try {
      const opened = await this.#program.ask(
        (agent) => agent.request(methods.agent.session.new, { cwd, mcpServers: this.#servers() }),
        limits.startMs,
      );
      await this.#settle(opened.sessionId, opened);
      return opened.sessionId;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      throw new AcpFailed(`${command} opened no session: ${requestLine(error)}`, { cause: error });
    }
  }

  #settle(sessionId: string, opened: unknown): Promise<void> {
    const { command, settings } = this.#options;
    return applySettings(this.#program, command, sessionId, opened, settings);
  }

  /**
   * Agents send banners after they have opened a session, some of them a moment later. An answer to any request shows that they were sent, so that
   * none can be taken for the beginning of an answer. An agent that does not answer is not waited for.
   */
  async #quiet(): Promise<void> {
    const { clock, limits } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(limits.quietMs, resolve);
    const ask = async (): Promise<void> => {
      for (let round = 0; round < QUIET_ROUNDS; round++) {
        await this.#program
          .ask((agent) => agent.request('_earshot/quiet', {}))
          .catch((error: unknown) => {
            if (!(error instanceof RequestError)) throw error; // no agent knows it; that it says so is the answer
          });
      }
    };
    try {
      await Promise.race([ask(), late]);
    } finally {
      cancel();
    }
  }

  #servers(): McpServer[] {
    const { tools } = this.#options;
    if (tools === undefined || this.#program.capabilities.mcpCapabilities?.http !== true) return [];
    const headers = [{ name: 'Authorization', value: `Bearer ${tools.token}` }];
    return [{ type: 'http', name: 'earshot', url: tools.url(), headers }];
  }

  #makeRoom(): void {
    while (this.#byConversation.size >= this.#options.limits.sessions) {
      const oldest = [...this.#byConversation.values()].find(({ run }) => run === undefined);
      if (oldest === undefined) return; // all are in use; there are at most as many as turns at once
      this.#leave(oldest);
      if (!canClose(this.#program.capabilities)) continue; // forgotten here; the agent offers no way to close it
      const { id: sessionId } = oldest;
      this.#program
        .ask((agent) => agent.request(methods.agent.session.close, { sessionId }))
        .catch(() => undefined);
    }
  }
}

function canClose({ sessionCapabilities }: AgentCapabilities): boolean {
  const close = sessionCapabilities?.close;
  return close !== undefined && close !== null;
}
