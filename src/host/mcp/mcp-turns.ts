// The turns of an agent that has nothing but MCP. One call ends the last turn, waits, and returns the next turn as text
// that needs no further call. There is one per agent; it outlives the server objects. Losing it loses nothing: what a
// turn took is leased, and comes again when the lease ends.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { FIT_LIMITS, jsonBytes } from '../../protocol/fit.ts';
import { WAIT_MAX_MS } from '../../protocol/read-tools.ts';
import type { ShortEvent } from '../../protocol/short-event.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import type { ToolCallResult } from '../../protocol/tool.ts';
import type { Clock } from '../../runtime/clock.ts';
import { type Arguments, rememberNewest } from './call-keys.ts';
import type { TurnSubject } from './fill-call.ts';
import type { HostPort, StartedTurn } from './host-port.ts';
import type { CallRequest } from './mcp-server.ts';
import { nothingCame, placeOfEvent, turnText } from './turn-text.ts';

export interface McpTurnsDeps {
  clock: Clock;
  newId: () => string;
  /**
   * True when the client is woken by knocks. It does not wait for the next event, may be at work on several, and none
   * ends because another is taken: the channel ends them (channel-inbox.ts).
   */
  channel: boolean;
}

/** Events that need no answer and are shown with one turn, and events that a knocked client takes at once. */
const NEWS_MAX = 20;
/** Calls that end the work on the turn's event, or put it off. */
const ACTS: ReadonlySet<ToolName> = new Set([
  'chat.send_message',
  'chat.react',
  'chat.defer',
  'chat.resolve',
  'chat.disengage',
]);

interface Turn {
  id: string;
  event: ShortEvent;
  /** True when the model has done something about it. */
  acted: boolean;
}

export class McpTurns {
  readonly #deps: McpTurnsDeps;
  #turn: Turn | undefined;
  /** What a knocked client has taken and not dealt with, by event. */
  readonly #open = new Map<string, ShortEvent>();
  /** Taken and not shown yet, because the call that took it was cancelled. */
  #news: ShortEvent[] = [];

  constructor(deps: McpTurnsDeps) {
    this.#deps = deps;
  }

  get id(): string | undefined {
    return this.#turn?.id;
  }

  get about(): TurnSubject | undefined {
    const [only, ...more] = this.#open.values();
    const event = this.#turn?.event ?? (more.length === 0 ? only : undefined);
    if (event === undefined) return undefined;
    return { eventId: event.eventId, target: placeOfEvent(event) };
  }

  /** The event that was taken last and is not dealt with. */
  get latest(): string | undefined {
    return this.#turn?.event.eventId ?? [...this.#open.keys()].at(-1);
  }

  called(name: ToolName, { inReplyTo }: Arguments, result: ToolCallResult): void {
    if (!ACTS.has(name) || result.isError === true) return;
    if (this.#turn !== undefined) this.#turn.acted = true;
    if (typeof inReplyTo === 'string') this.#open.delete(inReplyTo);
  }

  /** Ends the last turn and waits for the next. The answer is small when nothing came. */
  async next(port: HostPort, waitMs: number, request: CallRequest): Promise<CallToolResult> {
    if (this.#deps.channel) return this.#taken(port, waitMs, request);
    await this.#end(port, request);
    for (let left = waitMs; ; ) {
      const asked = Math.min(left, WAIT_MAX_MS);
      const began = this.#deps.clock.now();
      const result = await port.call('chat.wait_events', { limit: 1, timeoutMs: asked }, request);
      if (result.isError === true) return result;
      const [event] = eventsIn(result);
      if (event !== undefined && isNews(event)) this.#news.push(event);
      else if (event !== undefined) {
        const started = await this.#start(port, event, request);
        if (started !== 'withdrawn') return this.#shown(event, started);
      }
      // A wait that ran out took as long as was asked, by whichever clock.
      left -= event === undefined ? asked : Math.min(asked, this.#deps.clock.now() - began);
      const isFull = this.#news.length >= NEWS_MAX || jsonBytes(this.#news) > FIT_LIMITS.newsBytes;
      if (event === undefined ? left <= 0 || request.signal.aborted : isFull)
        return request.signal.aborted ? empty(waitMs, this.#deps.channel) : this.#over(waitMs);
    }
  }

  async #taken(port: HostPort, waitMs: number, request: CallRequest): Promise<CallToolResult> {
    const timeoutMs = Math.min(waitMs, WAIT_MAX_MS);
    const result = await port.call('chat.wait_events', { limit: NEWS_MAX, timeoutMs }, request);
    if (result.isError === true) return result;
    const taken = eventsIn(result);
    if (taken.length === 0) return empty(waitMs, true);
    const events = taken.filter((event) => !isNews(event));
    for (const event of events) rememberNewest(this.#open, event.eventId, event);
    return answer(turnText({ news: taken.filter(isNews), events, started: undefined, woken: true }), taken);
  }

  #over(waitMs: number): CallToolResult {
    return this.#news.length === 0 ? empty(waitMs, this.#deps.channel) : this.#shown(undefined, undefined);
  }

  #shown(event: ShortEvent | undefined, started: StartedTurn | undefined): CallToolResult {
    const news = this.#news;
    this.#news = [];
    const events = event === undefined ? [] : [event];
    return answer(turnText({ news, events, started, woken: false }), [...news, ...events]);
  }

  async #start(
    port: HostPort,
    event: ShortEvent,
    { signal }: CallRequest,
  ): Promise<StartedTurn | undefined | 'withdrawn'> {
    const { eventId } = event;
    const turnId = `mcp_${this.#deps.newId()}`;
    const started = await port.startTurn(turnId, [eventId], signal);
    if (started?.superseded.includes(eventId) === true) return 'withdrawn';
    this.#turn = { id: turnId, event, acted: false };
    return started;
  }

  /** The lease may have ended meanwhile, so the turn takes its event again before it ends. */
  async #end(port: HostPort, { signal }: CallRequest): Promise<void> {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const { id: turnId, event, acted } = turn;
    await port.startTurn(turnId, [event.eventId], signal);
    await port.endTurn(turnId, acted ? 'answered' : 'silent', signal);
  }
}

/** Programs read the events in `_meta`. It is not for the model, which would read everything twice otherwise. */
function answer(text: string, events: readonly ShortEvent[]): CallToolResult {
  return { content: [{ type: 'text', text }], _meta: { [EVENTS_META]: events } };
}

/** The member of a result's `_meta` that holds the events as objects. */
export const EVENTS_META = 'earshot/events';

function empty(waitMs: number, channel: boolean): CallToolResult {
  return answer(nothingCame(waitMs, channel), []);
}

function isNews({ policy, notices = [] }: ShortEvent): boolean {
  return policy === 'must_not_respond' && !notices.includes('claim_first');
}

function eventsIn({ structuredContent }: ToolCallResult): ShortEvent[] {
  const events = structuredContent?.['events'];
  return Array.isArray(events) ? (events as ShortEvent[]) : [];
}
