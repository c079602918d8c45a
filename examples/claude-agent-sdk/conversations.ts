// One Claude a conversation: a `query()` with streaming input stays open and is given one user message a turn. Its final
// text is the answer. When the turn is cancelled, Claude is interrupted; what it says after that is nobody's answer.
import type { Turn } from 'earshot/agent';

/** Of the SDK's `query`, what is used here. */
export interface ClaudeQuery extends AsyncIterable<ClaudeMessage> {
  interrupt(): Promise<unknown>;
}
export interface ClaudeMessage {
  type: string;
  /** Of a `result`, which ends a turn: `success`, or what went wrong. */
  subtype?: string;
  /** Also with `success`, when the provider failed: then `result` is its complaint, which is not for chat. */
  is_error?: boolean;
  result?: string;
}
export interface UserMessage {
  type: 'user';
  message: { role: 'user'; content: string };
  parent_tool_use_id: null;
  session_id: string;
}
export type Query<Options> = (input: { prompt: AsyncIterable<UserMessage>; options: Options }) => ClaudeQuery;

export const LIMITS = {
  /** Each is a process. One more, and the one that was asked longest ago is ended; it begins anew when asked again. */
  conversations: 8,
};

/** For `onTurn`: what the handler returns is the reply, and NO_REPLY is silence. */
export function claudeRunner<Options>(query: Query<Options>, options: Options) {
  const open = new Map<string, Conversation<Options>>();
  const at = (key: string): Conversation<Options> => {
    const known = open.get(key);
    open.delete(key);
    const conversation = known?.isOpen === true ? known : new Conversation(query, options);
    open.set(key, conversation);
    const [oldest] = open;
    if (open.size > LIMITS.conversations && oldest !== undefined) {
      open.delete(oldest[0]);
      oldest[1].end();
    }
    return conversation;
  };
  const handler = (turn: Turn): Promise<string> => {
    const { platform, workspaceId, target } = turn.conversation;
    return at(JSON.stringify([platform, workspaceId, target])).ask(turn);
  };
  const close = (): void => {
    for (const conversation of open.values()) conversation.end();
    open.clear();
  };
  return Object.assign(handler, { close });
}

class Conversation<Options> {
  isOpen = true;
  readonly #claude: ClaudeQuery;
  readonly #input = new Input();
  /** The rules and the participants that it was told. */
  #told: string | undefined;
  #ended: (result: ClaudeMessage | undefined) => void = () => undefined;

  constructor(query: Query<Options>, options: Options) {
    this.#claude = query({ prompt: this.#input, options });
    this.#listen().catch(() => this.end());
  }

  /** One turn at a time: `connect` sees to that. */
  async ask(turn: Turn): Promise<string> {
    turn.signal.throwIfAborted();
    // It remembers what was said here: from the second turn on it is given only what is new.
    const { system, fresh, prompt } = turn;
    const news = this.#told === system ? fresh : `${system}\n\n${fresh}`;
    const content = this.#told === undefined ? prompt : news;
    this.#told = system;
    const { promise, resolve } = Promise.withResolvers<ClaudeMessage | undefined>();
    this.#ended = resolve;
    const interrupt = (): void => void this.#claude.interrupt().catch(() => this.end());
    turn.signal.addEventListener('abort', interrupt, { once: true });
    const message = { role: 'user', content } as const;
    this.#input.push({ type: 'user', message, parent_tool_use_id: null, session_id: '' });
    const result = await promise;
    turn.signal.removeEventListener('abort', interrupt);
    turn.signal.throwIfAborted();
    if (result?.subtype === 'success' && result.is_error !== true) return result.result ?? '';
    // Thrown, the turn has failed: the host hands it over again, three times in all.
    const why = result?.is_error === true ? result.result : result?.subtype;
    throw new Error(`Claude ended with ${why ?? 'no result'}`);
  }

  end(): void {
    this.isOpen = false;
    this.#input.end();
    this.#ended(undefined);
  }

  /** Until its process has ended, by itself or because its input has. */
  async #listen(): Promise<void> {
    for await (const message of this.#claude) if (message.type === 'result') this.#ended(message);
    this.end();
  }
}

/** What Claude is told, one message at a time. */
class Input implements AsyncIterable<UserMessage> {
  readonly #waiting: UserMessage[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  push(message: UserMessage): void {
    this.#waiting.push(message);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<UserMessage> {
    for (;;) {
      const next = this.#waiting.shift();
      if (next !== undefined) yield next;
      else if (this.#isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
