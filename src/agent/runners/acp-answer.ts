// What the agent says in one prompt: its message chunks, within bounds, as the text of one reply. Messages with work in
// between are paragraphs of it. Thoughts are not passed on; tool calls and plans go to the log.
import { printableLine } from '../../protocol/display-name.ts';
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

  /** A kind that is not known says nothing. */
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

  /** What a tool call was announced as. */
  titleOf(toolCallId: string): string | undefined {
    return this.#titles.get(toolCallId);
  }

  /** All of it, or all that may be said of it and how much is left out. */
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
    // As a stream, half a character at the cut is dropped instead of replaced.
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

/** Of tool calls whose titles are remembered in one prompt. */
const TITLES = 1_000;

/** Files and links are named; pictures and sounds cannot be said. */
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
