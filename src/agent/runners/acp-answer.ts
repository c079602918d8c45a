// Collects what the agent says in one prompt, up to a limit, as the text of one reply. Messages with tool calls between
// them become paragraphs. Thoughts are dropped; tool calls and plans go to the log.
import { printableLine } from '../../protocol/identity.ts';
import { record, string } from '../read-event.ts';
import { clean } from './output.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface AnswerHooks {
  answerBytes: number;
  onWork(line: string): void;
}

const LINE_CHARS = 200;

export class AcpAnswer {
  readonly #hooks: AnswerHooks;
  readonly #titles = new Map<string, string>();
  #text = '';
  #bytes = 0;
  #totalBytes = 0;
  #messageId: string | undefined;
  #worked = false;

  constructor(hooks: AnswerHooks) {
    this.#hooks = hooks;
  }

  /** Ignores a kind of update that it does not know. */
  update(update: Fields): void {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        this.#chunk(update);
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#worked = true;
        this.#toolCall(update);
        break;
      case 'plan':
        this.#hooks.onWork(planLine(update['entries']));
        break;
    }
  }

  /** The title under which a tool call was announced. */
  titleOf(toolCallId: string): string | undefined {
    return this.#titles.get(toolCallId);
  }

  /** The whole text, or the part within the limit and how much is left out. */
  get text(): string {
    const leftOutBytes = this.#totalBytes - this.#bytes;
    const said = clean(this.#text);
    return leftOutBytes === 0
      ? said
      : `${said}\n\n[cut: ${leftOutBytes} of ${this.#totalBytes} bytes are left out]`;
  }

  #chunk({ content, messageId: id }: Fields): void {
    const piece = textOf(record(content));
    const messageId = string(id) ?? this.#messageId;
    const parts = this.#totalBytes > 0 && (this.#worked || messageId !== this.#messageId);
    this.#messageId = messageId;
    this.#worked = false;
    this.#add(parts ? `\n\n${piece}` : piece);
  }

  #add(piece: string): void {
    const bytes = Buffer.from(piece);
    const room = this.#bytes === this.#totalBytes ? this.#hooks.answerBytes - this.#bytes : 0;
    this.#totalBytes += bytes.length;
    if (bytes.length <= room) {
      this.#text += piece;
      this.#bytes += bytes.length;
      return;
    }
    // In stream mode the decoder drops half a character at the cut instead of replacing it.
    const kept = new TextDecoder().decode(bytes.subarray(0, room), { stream: true });
    this.#text += kept;
    this.#bytes += Buffer.byteLength(kept);
  }

  #toolCall(update: Fields): void {
    const [id, title, status] = [update['toolCallId'], update['title'], update['status']].map(string);
    if (id !== undefined && title !== undefined && this.#titles.size < TITLES) this.#titles.set(id, title);
    const known = title ?? this.#titles.get(id ?? '') ?? 'a tool';
    this.#hooks.onWork(printableLine(`${known}: ${status ?? 'called'}`, LINE_CHARS));
  }
}

/** How many titles of tool calls are remembered per prompt. */
const TITLES = 1_000;

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
