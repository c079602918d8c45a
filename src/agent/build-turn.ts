// Builds the Turn that a handler gets: renders it once, and sends everything it does through one function, `act`: its
// tools, `reply`, `react` and the rest. `act` fills in what the turn knows, attaches keys and tokens, and counts
// outbound actions. It repeats a call with the same key and body until the host answers.
import { boundedPrompt } from '../protocol/turn-report.ts';
import { type ToolName, toolNameForModel } from '../protocol/tool-name.ts';
import type { AgentDeps } from './agent-deps.ts';
import { type SeenEvent, type TurnEvent, rootId, untrustedTexts } from './event.ts';
import { chooseFence } from './fence.ts';
import { namesFor } from './names.ts';
import { renderPrefix } from './prefix.ts';
import { renderTurn, saidToUs, splitSeen, strongest, type PromptInput } from './prompt.ts';
import { integer, record, string } from './read-event.ts';
import { type ModelTools, NO_TOOLS, spoken } from './rules.ts';
import type { Run } from './run.ts';
import { type AnswerStream, type Pieces, type StreamPlace, TurnStream, pour } from './stream.ts';
import { withoutCircles, type ListedTool, type ToolOutcome, turnTools, readOutcome } from './tools.ts';
import type { Interrupt, Turn } from './turn.ts';
import { addUsage } from './usage.ts';

export interface TurnParts {
  shared: AgentDeps;
  run: Run;
  listing: readonly ListedTool[];
  seen: readonly SeenEvent[];
  history: readonly SeenEvent[];
  knocks: readonly TurnEvent[];
  digests: readonly TurnEvent[];
  acted: () => void;
  /** The body of a claimed event, once it has arrived. */
  body: (eventId: string) => Promise<TurnEvent | undefined>;
  interrupt: () => Promise<{ events: TurnEvent[]; seen: SeenEvent[] } | undefined>;
  ask: Turn['ask'];
  /** Resolves when an answer may be posted. */
  hold: () => Promise<void>;
}

const SILENT: ToolOutcome = { ok: true, text: 'Silence.', data: {} };

export function buildTurn(parts: TurnParts): Turn {
  const { shared, run, knocks, digests, seen, history } = parts;
  const events = run.events;
  const last = events.at(-1);
  if (last === undefined) throw new Error('a turn is about at least one event');
  const { agent, identity } = shared.session;
  const voice = voiceOf(shared, run, parts.listing);
  const input: PromptInput = { events, seen, history, knocks, digests, ...voice };
  const { context, leadIn } = splitSeen(input);
  const { participants } = run;
  const system = renderPrefix({ ...voice, identity, participants, conversation: last.conversation });
  const user = render(shared, input);
  run.chars.prompt += system.length + user.length;
  const deps: ActDeps = { shared, run, acted: parts.acted };
  const claim = (args: unknown) => claimWithBody(parts, deps, args);
  const answer = async (text: string, options: object = {}): Promise<ToolOutcome> => {
    if (spoken(text) !== undefined) await parts.hold();
    return say(deps, text, options);
  };
  return {
    id: run.id,
    agent,
    get events() {
      return run.events;
    },
    conversation: last.conversation,
    policy: strongest(events),
    context,
    history,
    knocks,
    digests,
    text: saidToUs(leadIn, events)
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
    system,
    user,
    get fresh() {
      return history.length === 0 ? user : render(shared, { ...input, history: [] });
    },
    prompt: `${system}\n\n${user}`,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    tools: turnTools(
      parts.listing,
      withoutCircles(
        (name, args) => (name === 'chat.claim' ? claim(args) : act(deps, name, args)),
        shared.limits.sameCalls,
      ),
    ),
    signal: run.signal,
    reply: (text, { final = false, ...options } = {}) =>
      final ? answer(text, options) : say(deps, text, options),
    streams: run.streams,
    stream: streamFor(deps, (text) => answer(text)),
    ask: parts.ask,
    react: (signal, options = {}) => act(deps, 'chat.react', { ...options, signal }),
    edit: (eventId, text) => act(deps, 'chat.edit_message', { eventId, text }),
    delete: (eventId) => act(deps, 'chat.delete_message', { eventId }),
    claim: () => claim({}),
    defer: (reason, options = {}) => act(deps, 'chat.defer', { ...options, reason }),
    readThread: (options = {}) => act(deps, 'chat.read_thread', options),
    tellPrompt: (text) => tellPrompt(parts, text),
    step: () => step(parts),
    usage(usage) {
      run.usage = addUsage(run.usage, usage);
    },
  };
}

async function say(deps: ActDeps, text: string, options: object): Promise<ToolOutcome> {
  const said = spoken(text);
  if (said === undefined) return SILENT;
  // A frame of a growing answer must not come after the message.
  await deps.run.stream?.quiet();
  return act(deps, 'chat.send_message', { ...options, text: said });
}

function streamFor(deps: ActDeps, answer: (text: string) => Promise<ToolOutcome>): Turn['stream'] {
  const { shared, run } = deps;
  const begin = (): TurnStream => {
    const stream = new TurnStream({
      shared,
      run,
      place: () => growingPlace(deps),
      send: (text) => {
        run.streamed = text;
        return answer(text);
      },
    });
    run.stream = stream;
    return stream;
  };
  function stream(): AnswerStream;
  function stream(pieces: Pieces): Promise<ToolOutcome>;
  function stream(pieces?: Pieces): AnswerStream | Promise<ToolOutcome> {
    const out = begin();
    return pieces === undefined ? out : pour(pieces, out, run.signal).then(() => out.end());
  }
  return stream;
}

/** Where an answer goes, in the fields of `turn/growing`. */
function growingPlace(deps: ActDeps): StreamPlace | undefined {
  const about = deps.run.answers;
  if (about === undefined) return undefined;
  const { directedness: _, ...fields } = sendFields(deps, about, {});
  return fields;
}

/** Best effort: nothing waits for it, and a host that does not know it leaves it. The last one counts. */
export function tellPrompt({ shared, run }: Pick<TurnParts, 'shared' | 'run'>, text: string): void {
  if (!shared.tellPrompts || text === '' || run.over) return;
  shared.session.notify('notifications/prompt', { turnId: run.id, prompt: boundedPrompt(text) });
}

/** Who is called what, and which tools the prompt may name: the same throughout a turn. */
export function voiceOf(
  { session: { agent } }: AgentDeps,
  { participants, modelTools }: Run,
  listing: readonly ListedTool[],
): Required<Pick<PromptInput, 'agent' | 'names' | 'tools'>> {
  const tools: ModelTools = modelTools
    ? new Set(listing.map(({ name }) => toolNameForModel(name)))
    : NO_TOOLS;
  return { agent, names: namesFor(participants, agent), tools };
}

export function render(shared: AgentDeps, input: PromptInput): string {
  const { events, seen, knocks, digests, history = [] } = input;
  const texts = [
    ...[...seen, ...history].map(({ text }) => text),
    ...[...events, ...knocks, ...digests].flatMap(untrustedTexts),
  ];
  return renderTurn(input, chooseFence(shared.random, texts), shared.limits);
}

/** Claims, and returns the message that was withheld until now together with the outcome. */
async function claimWithBody(
  parts: TurnParts,
  deps: ActDeps,
  args: unknown,
): Promise<ToolOutcome & { event?: TurnEvent }> {
  const { shared, run } = parts;
  const about = run.answers;
  const body = about?.knock === undefined ? undefined : parts.body(about.refersTo ?? about.eventId);
  const outcome = await act(deps, 'chat.claim', args);
  if (!outcome.ok || body === undefined) return outcome;
  const event = await body;
  if (event === undefined) return outcome;
  const voice = voiceOf(shared, run, parts.listing);
  const shown = render(shared, { events: [event], seen: [], knocks: [], digests: [], ...voice });
  return { ...outcome, text: `${outcome.text}\n\n${shown}`, event };
}

async function step({ shared, run, interrupt, listing }: TurnParts): Promise<Interrupt | undefined> {
  run.signal.throwIfAborted();
  if (shared.interrupts === 'never') return undefined;
  const taken = await interrupt();
  if (taken === undefined) return undefined;
  const { events, seen } = taken;
  const input = { events, seen, knocks: [], digests: [], ...voiceOf(shared, run, listing) };
  return { events, prompt: render(shared, input) };
}

type Args = Readonly<Record<string, unknown>>;

export interface ActDeps {
  shared: AgentDeps;
  run: Run;
  /** Called after an outbound action. The turn is never run again from then on. */
  acted: () => void;
}

/** Calls that others can see or that settle the event. A send counts only when the host accepted it. */
const ACTIONS: ReadonlySet<ToolName> = new Set([
  'chat.react',
  'chat.defer',
  'chat.resolve',
  'chat.edit_message',
  'chat.delete_message',
]);
const TRANSIENT = new Set(['rate_limited', 'internal']);

export async function act(deps: ActDeps, name: ToolName, given: unknown): Promise<ToolOutcome> {
  const { run, acted } = deps;
  if (run.aborted || run.over)
    return refused('cancelled', 'This turn is over. Stop: nothing it sends is accepted any more.');
  const args = filled(deps, name, record(given));
  if (ACTIONS.has(name)) acted();
  const outcome = await callTool(deps, name, args);
  if (name === 'chat.send_message' && (outcome.ok || outcome.error === 'unknown')) {
    const { text } = args;
    if (typeof text === 'string') run.chars.said += text.length;
    acted();
  }
  if (name === 'chat.claim' && outcome.ok) noteClaim(deps, args, outcome);
  if (name === 'chat.defer' && outcome.ok && record(given)['inReplyTo'] === undefined) {
    // All fragments of a turn are deferred, so that they come back together.
    for (const { event } of run.all.slice(0, -1))
      await callTool(deps, name, { ...args, inReplyTo: event.eventId });
  }
  return outcome;
}

async function callTool({ shared, run }: ActDeps, name: ToolName, args: Args): Promise<ToolOutcome> {
  const { session, limits, clock } = shared;
  for (let attempt = 1; ; attempt++) {
    const answer = await session.call('tools/call', { name, arguments: args }, run.signal);
    if (!answer.ok) return refused(answer.why, answer.message);
    const outcome = readOutcome(answer.result);
    if (outcome.ok || !TRANSIENT.has(outcome.error ?? '') || attempt >= limits.callAttempts) return outcome;
    const waitMs = integer(record(outcome.data['data'])['retryAfterMs']) ?? limits.retryMs;
    await new Promise<void>((resolve) => {
      clock.after(waitMs, resolve);
    });
  }
}

function refused(error: string, text: string): ToolOutcome {
  return { ok: false, text, data: {}, error };
}

function noteClaim({ shared, run }: ActDeps, args: Args, { data }: ToolOutcome): void {
  const token = integer(data['token']);
  const claimed = string(args['inReplyTo']);
  if (token === undefined || claimed === undefined) return;
  const event = run.events.find(({ eventId }) => eventId === claimed);
  shared.ledger.keepClaim(event === undefined ? claimed : rootId(event), token);
}

function filled(deps: ActDeps, name: ToolName, given: Args): Args {
  const { run } = deps;
  const about = run.answers;
  if (about === undefined) return given;
  switch (name) {
    case 'chat.send_message':
      return filledSend(deps, about, given);
    case 'chat.edit_message':
    case 'chat.delete_message':
      run.keys += 1;
      return { ...given, idempotencyKey: `${run.id}:${run.keys}`, turnId: run.currentId };
    case 'chat.react':
    case 'chat.defer':
      return { inReplyTo: about.eventId, ...given, turnId: run.currentId };
    case 'chat.resolve':
      return { ...place(about, given), ...given, turnId: run.currentId };
    case 'chat.read_thread':
    case 'chat.read_attachment':
      return { ...place(about, given), ...given };
    case 'chat.claim': {
      const args = { ...place(about, given), ...given };
      const token = given['op'] === undefined || given['op'] === 'claim' ? undefined : tokenFor(deps, args);
      return token === undefined ? args : { ...args, token };
    }
    case 'chat.disengage':
      return { target: about.conversation.target, ...given, turnId: run.currentId };
    case 'chat.set_mode':
      return { target: about.conversation.target, ...given };
    case 'chat.list_events':
    case 'chat.focus':
    case 'chat.wait_events':
    case 'chat.open_set':
    case 'chat.ask_permission':
      return given;
  }
}

/** These tools take the event or the place, not both. */
function place(about: TurnEvent, given: Args): Args {
  return given['target'] === undefined ? { inReplyTo: about.eventId } : {};
}

function filledSend(deps: ActDeps, about: TurnEvent, given: Args): Args {
  const { run } = deps;
  run.keys += 1;
  return { ...sendFields(deps, about, given), idempotencyKey: `${run.id}:${run.keys}` };
}

/** What a message says besides its text: where it goes, what it answers and for which turn. */
function sendFields(deps: ActDeps, about: TurnEvent, given: Args): Args {
  const { run } = deps;
  const target = string(given['target']) ?? about.conversation.target;
  // A message to another place answers nothing here, nor does one with `inReplyTo: null`.
  const { inReplyTo: named, ...rest } = given;
  const answers = named !== null && target === about.conversation.target;
  const inReplyTo = string(named) ?? (answers ? about.eventId : undefined);
  const token = inReplyTo === undefined ? undefined : tokenFor(deps, { inReplyTo });
  return {
    visibility: visibilityOf(target),
    // An answer is directed to the person it answers. Any other send obliges nobody unless it names a recipient.
    directedness: inReplyTo === undefined && given['recipient'] === undefined ? 'ambient' : 'to_me',
    ...rest,
    target,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(token === undefined ? {} : { token }),
    turnId: run.currentId,
  };
}

function tokenFor({ shared, run }: ActDeps, args: Args): number | undefined {
  const inReplyTo = string(args['inReplyTo']);
  if (inReplyTo === undefined) return undefined;
  const event = run.events.find(({ eventId }) => eventId === inReplyTo);
  return shared.ledger.claimToken(event === undefined ? inReplyTo : rootId(event));
}

function visibilityOf(target: string): string {
  const kind = target.slice(0, target.indexOf(':'));
  if (kind === 'thread' || kind === 'channel') return kind;
  return kind === 'system' || kind === 'tool' ? 'channel' : 'dm';
}
