// The sessions of one agent program, one per conversation, so that each conversation has its own memory. Their number
// is bounded: the least recently used one is closed, and its conversation starts a new one when it goes on.
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { AcpAnswer } from './acp-answer.ts';
import { AcpFailed, type AcpLimits } from './acp-limits.ts';
import type { AcpProcess } from './acp-process.ts';
import type { Answer, Turn } from '../turn.ts';

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
  /** The agent knows the standing rules and how this conversation began. */
  knows: boolean;
  /** How often the same permission was asked for. */
  questions: Map<string, number>;
  run: AcpRun | undefined;
}

/** ACP error code: the agent wants its user to log in first. */
const AUTH_REQUIRED = -32_000;

export class AcpSessions {
  readonly #program: AcpProcess;
  readonly #limits: AcpLimits;
  /** By conversation, least recently used first. */
  readonly #byConversation = new Map<string, AcpSession>();
  readonly #byId = new Map<string, AcpSession>();
  readonly #opening = new Map<string, Promise<AcpSession>>();

  constructor(program: AcpProcess, limits: AcpLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  find(id: string): AcpSession | undefined {
    return this.#byId.get(id);
  }

  async of(conversation: string, cwd: string, command: string): Promise<AcpSession> {
    const known = this.#byConversation.get(conversation);
    if (known !== undefined) {
      this.#byConversation.delete(conversation);
      this.#byConversation.set(conversation, known);
      return known;
    }
    const opening =
      this.#opening.get(conversation) ??
      this.#begin(conversation, cwd, command).finally(() => this.#opening.delete(conversation));
    this.#opening.set(conversation, opening);
    return opening;
  }

  async #begin(conversation: string, cwd: string, command: string): Promise<AcpSession> {
    this.#makeRoom();
    const sessionId = await this.#open(cwd, command);
    const session: AcpSession = { id: sessionId, knows: false, questions: new Map(), run: undefined };
    this.#byConversation.set(conversation, session);
    this.#byId.set(sessionId, session);
    return session;
  }

  /** Forgets a session that the agent no longer knows or that is in an unknown state. */
  drop(session: AcpSession): void {
    this.#byId.delete(session.id);
    for (const [key, other] of this.#byConversation) if (other === session) this.#byConversation.delete(key);
  }

  async #open(cwd: string, command: string): Promise<string> {
    try {
      const { sessionId } = await this.#program.ask(
        (agent) => agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
        this.#limits.startMs,
      );
      return sessionId;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      const todo = error.code === AUTH_REQUIRED ? 'log in with its own command first' : error.message;
      throw new AcpFailed(`${command} opened no session: ${todo}`, { cause: error });
    }
  }

  #makeRoom(): void {
    while (this.#byConversation.size >= this.#limits.sessions) {
      const oldest = [...this.#byConversation.values()].find(({ run }) => run === undefined);
      if (oldest === undefined) return; // all are in use; there are at most as many as turns at once
      this.drop(oldest);
      if (!this.#program.canClose) continue; // forgotten here; the agent offers no way to close it
      const { id: sessionId } = oldest;
      this.#program
        .ask((agent) => agent.request(methods.agent.session.close, { sessionId }))
        .catch(() => undefined);
    }
  }
}
