// A conversation that belongs to the tester, and the people in it. The tester posts what happens there, as a source
// would.
import { type ChatEvent, chatEventSchema } from '../protocol/chat-event.ts';
import { Broken } from './scenario.ts';

export interface TestSource {
  /** One answer per event, in order: `accepted`, `repeat` or `refused`. */
  post(events: readonly ChatEvent[]): Promise<{ status: string; problem?: string }[]>;
  /** What agents said in this conversation since the last call. The messages count as shown from then on. */
  said(conversation: string): Promise<string[]>;
  /** What agents said in this conversation since the last call. The platform refuses all of it for good. */
  refuse(conversation: string, problem: string): Promise<string[]>;
  /** The glyphs of the reactions that agents set in this conversation since the last call. */
  glyphs(conversation: string): Promise<string[]>;
}

export interface TestRoomOptions {
  source: TestSource;
  platform: string;
  workspaceId: string;
  id: string;
  kind?: 'channel' | 'thread';
  parentId?: string;
  /** The agent that the tester plays. */
  agent: string;
  now: () => number;
}

type Line = { by?: string; id?: string } & Record<string, unknown>;

export class TestRoom {
  readonly id: string;
  readonly #options: TestRoomOptions;
  #events = 0;

  constructor(options: TestRoomOptions) {
    this.#options = options;
    this.id = options.id;
  }

  /** A thread in this conversation. */
  thread(): TestRoom {
    return new TestRoom({ ...this.#options, id: `${this.id}-t`, kind: 'thread', parentId: this.id });
  }

  get target(): string {
    return `${this.#options.kind ?? 'channel'}:${this.id}`;
  }

  event(line: Line): ChatEvent {
    const { by = 'ada', id, ...more } = line;
    const { platform, workspaceId, kind = 'channel', parentId, now } = this.#options;
    const parent = parentId === undefined ? {} : { parentId };
    return chatEventSchema.parse({
      eventId: id ?? `${this.id}-${++this.#events}`,
      at: now(),
      platform,
      workspaceId,
      conversation: { id: this.id, kind, ...parent },
      author: { id: by, kind: 'human', displayName: by },
      type: 'message',
      ...more,
    });
  }

  async post(...events: ChatEvent[]): Promise<{ status: string; problem?: string }[]> {
    return this.#options.source.post(events);
  }

  async #posted(event: ChatEvent): Promise<string> {
    const [answer] = await this.post(event);
    if (answer?.status !== 'accepted') throw new Broken(`the host to store ${event.eventId}`, answer ?? {});
    return event.eventId;
  }

  say(text: string, line: Line = {}): Promise<string> {
    return this.#posted(this.event({ text, ...line }));
  }

  /** Says it to the agent that the tester plays. */
  ask(text: string, line: Line = {}): Promise<string> {
    const { agent } = this.#options;
    return this.say(`@${agent} ${text}`, { mentions: [{ kind: 'agent', id: agent }], ...line });
  }

  edit(targetEventId: string, text: string): Promise<string> {
    const { agent } = this.#options;
    const mentions = [{ kind: 'agent', id: agent }];
    return this.#posted(this.event({ type: 'edit', targetEventId, text: `@${agent} ${text}`, mentions }));
  }

  remove(targetEventId: string): Promise<string> {
    return this.#posted(this.event({ type: 'delete', targetEventId }));
  }

  said(): Promise<string[]> {
    return this.#options.source.said(this.id);
  }

  refuse(problem: string): Promise<string[]> {
    return this.#options.source.refuse(this.id, problem);
  }

  glyphs(): Promise<string[]> {
    return this.#options.source.glyphs(this.id);
  }
}
