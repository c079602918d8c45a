// Collects what the model says in one prompt, up to a limit, as the text of one reply. Messages with tool calls between
// them become paragraphs. Thoughts are dropped; tool calls and plans go to the log.
//
// Not every chunk of a message is the model's. Agents also send warnings, banners and errors that way. So:
// - Only what arrives while a prompt runs counts. A banner after `session/new`, or the history that `session/load`
//   repeats, is never an answer.
// - An agent that gives its messages ids gives them to the model's. Its chunks without an id are its own remarks.
// - When permission was not given, what was said before counts no more: it announced what was not done.
import { printableLine } from '../../protocol/identity.ts';
import { record, string } from '../read-event.ts';
import { Said } from './said.ts';
import { type ToolCall, toolCallOf } from './acp-tool-call.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Whether the agent has ever given a message an id. One for all prompts of a runner. */
export interface MessageIds {
  given: boolean;
  /** It has answered before. Without an id in that answer, it gives none. */
  answered?: boolean;
}

export interface AnswerHooks {
  answerBytes: number;
  ids: MessageIds;
  onWork(line: string): void;
  /** What the model said has changed. */
  onText?(): void;
}

const LINE_CHARS = 200;
/** How many tool calls are remembered per prompt. */
const TOOL_CALLS = 1_000;

export class AcpAnswer {
  readonly #hooks: AnswerHooks;
  readonly #toolCalls = new Map<string, ToolCall>();
  /** What came with a message id, and what came without one. */
  #named: Said;
  #bare: Said;
  #messageId: string | undefined;
  #worked = false;
  #open = true;

  constructor(hooks: AnswerHooks) {
    this.#hooks = hooks;
    this.#named = new Said(hooks.answerBytes);
    this.#bare = new Said(hooks.answerBytes);
  }

  /** Ignores a kind of update that it does not know, and everything after the prompt has ended. */
  update(update: Fields): void {
    if (!this.#open) return;
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        this.#chunk(update);
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#worked = true;
        this.#toolCall(update);
        this.#hooks.onText?.();
        break;
      case 'plan':
        this.#hooks.onWork(planLine(update['entries']));
        break;
    }
  }

  /** What was announced of a tool call. */
  toolCall(id: string): ToolCall {
    return this.#toolCalls.get(id) ?? {};
  }

  get toolCalls(): Iterable<ToolCall> {
    return this.#toolCalls.values();
  }

  /** What the model said. */
  get text(): string {
    return this.#models.text;
  }

  /** What the agent remarked beside it. Empty for agents that do not tell the two apart. */
  get remarks(): string {
    return this.#hooks.ids.given ? this.#bare.text : '';
  }

  /** Whether the model's words are known to be the model's. */
  get known(): boolean {
    return this.#hooks.ids.given;
  }

  /** Permission was not given: the answer begins after that. */
  forget(): void {
    this.#named = new Said(this.#hooks.answerBytes);
    this.#bare = new Said(this.#hooks.answerBytes);
    this.#worked = false;
    this.#hooks.onText?.();
  }

  /** The prompt has ended. */
  close(): void {
    this.#open = false;
    if (this.text !== '') this.#hooks.ids.answered = true;
  }

  /** What can be shown while it grows: nothing as long as nobody knows whether it is the model's. */
  get growing(): string {
    const { given, answered = false } = this.#hooks.ids;
    return given || answered ? this.text : '';
  }

  get #models(): Said {
    return this.#hooks.ids.given ? this.#named : this.#bare;
  }

  #chunk({ content, messageId: given }: Fields): void {
    const id = string(given);
    if (id !== undefined) this.#hooks.ids.given = true;
    const said = id === undefined ? this.#bare : this.#named;
    const parts = !said.empty && (this.#worked || (id !== undefined && id !== this.#messageId));
    if (id !== undefined) this.#messageId = id;
    // A remark between two chunks of the model does not part them.
    if (id !== undefined || !this.#hooks.ids.given) this.#worked = false;
    const piece = textOf(record(content));
    said.add(parts ? `\n\n${piece}` : piece);
    this.#hooks.onText?.();
  }

  #toolCall(update: Fields): void {
    const [id, status] = [update['toolCallId'], update['status']].map(string);
    const call = { ...this.#toolCalls.get(id ?? ''), ...toolCallOf(update) };
    if (id !== undefined && this.#toolCalls.size < TOOL_CALLS) this.#toolCalls.set(id, call);
    this.#hooks.onWork(printableLine(`${call.title ?? 'a tool'}: ${status ?? 'called'}`, LINE_CHARS));
  }
}

/** Files and links are named. Pictures and sounds cannot be shown as text. */
function textOf(content: Fields): string {
  if (content['type'] === 'text') return string(content['text']) ?? '';
  if (content['type'] === 'resource_link') return string(content['uri']) ?? '';
  return '';
}

function planLine(entries: unknown): string {
  const steps = (Array.isArray(entries) ? entries : []).map(record);
  const done = steps.filter(({ status }) => status === 'completed').length;
  const now = steps.find(({ status }) => status === 'in_progress');
  const doing = string(now?.['content']);
  return printableLine(
    `plan: ${done} of ${steps.length} done${doing === undefined ? '' : `, now ${doing}`}`,
    LINE_CHARS,
  );
}
