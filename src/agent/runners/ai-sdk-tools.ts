// The chat tools of a turn as AI SDK tools. It also notes what the model did with them: if the model answered with a
// tool, its closing words are not posted as well.
import { jsonSchema, tool, type ToolSet } from 'ai';
import type { ToolOutcome } from '../tools.ts';
import type { Turn } from '../turn.ts';

/** Tracks whether the model has already answered with a tool. */
export class Matter {
  readonly #turn: Turn;
  /** Events from before an interrupt. An answer to one of these leaves the interrupt unanswered. */
  #earlier: ReadonlySet<string> = new Set();
  /** The tool with which the model has answered. */
  #closedBy: string | undefined;

  constructor(turn: Turn) {
    this.#turn = turn;
  }

  get closedBy(): string | undefined {
    return this.#closedBy;
  }

  /** An interrupt came in: the last of the turn's events is the question now. */
  changed(before: readonly string[]): void {
    this.#earlier = new Set(before);
    this.#closedBy = undefined;
  }

  called(name: string, input: unknown, { ok, error }: ToolOutcome): void {
    // A send whose outcome is unknown may be visible.
    if (!ok && !(name === 'chat_send_message' && error === 'unknown')) return;
    const args = Object(input) as Readonly<Record<string, unknown>>;
    if (typeof args['inReplyTo'] === 'string' && this.#earlier.has(args['inReplyTo'])) return;
    if (this.#closes(name, args)) this.#closedBy = name;
  }

  #closes(name: string, args: Readonly<Record<string, unknown>>): boolean {
    switch (name) {
      case 'chat_send_message':
        return this.#isHere(args);
      case 'chat_react':
        return args['signal'] === 'declined';
      case 'chat_defer':
      case 'chat_disengage':
        return true;
      default:
        return false;
    }
  }

  #isHere({ target, inReplyTo }: Readonly<Record<string, unknown>>): boolean {
    const { conversation, events } = this.#turn;
    return (
      target === undefined ||
      target === conversation.target ||
      events.some(({ eventId }) => eventId === inReplyTo) ||
      (conversation.kind === 'dm' && events.some(({ author: { kind, id } }) => target === `${kind}:${id}`))
    );
  }
}

/** A refused call is a result too. Its text tells the model what to do instead. */
export function chatTools(turn: Turn, matter: Matter): ToolSet {
  const entries = turn.tools.map((chatTool) => [
    chatTool.name,
    tool({
      description: chatTool.description,
      inputSchema: jsonSchema<Record<string, unknown>>(chatTool.inputSchema),
      execute: async (input) => {
        const outcome = await chatTool.call(input);
        matter.called(chatTool.name, input, outcome);
        return outcome.text;
      },
    }),
  ]);
  return Object.fromEntries(entries) as ToolSet;
}
