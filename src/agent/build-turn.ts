// Builds the Turn that a handler gets: renders it once, and ties its verbs to the one door of act.ts.
import { act, type ActDeps } from './act.ts';
import type { SeenEvent, TurnEvent } from './event.ts';
import { chooseFence } from './fence.ts';
import type { AgentDeps } from './agent-deps.ts';
import { renderTurn, splitSeen, strongest, type PromptInput } from './prompt.ts';
import { spoken, STANDING_RULES } from './rules.ts';
import type { Run } from './run.ts';
import { withoutCircles } from './same-calls.ts';
import { type ListedTool, type ToolOutcome, turnTools } from './tools.ts';
import type { Interrupt, Turn } from './turn.ts';

export interface TurnParts {
  shared: AgentDeps;
  run: Run;
  listing: readonly ListedTool[];
  seen: readonly SeenEvent[];
  history: readonly SeenEvent[];
  knocks: readonly TurnEvent[];
  digests: readonly TurnEvent[];
  acted: () => void;
  /** The body of what was claimed, once it is here. */
  body: (eventId: string) => Promise<TurnEvent | undefined>;
  interrupt: () => Promise<{ events: TurnEvent[]; seen: SeenEvent[] } | undefined>;
  ask: Turn['ask'];
}

const SILENT: ToolOutcome = { ok: true, text: 'Silence.', data: {} };

export function buildTurn(parts: TurnParts): Turn {
  const { shared, run, knocks, digests, seen, history } = parts;
  const events = run.events;
  const last = events.at(-1);
  if (last === undefined) throw new Error('a turn is about at least one event');
  const input: PromptInput = { events, seen, history, knocks, digests, agent: shared.session.agent };
  const { context, leadIn } = splitSeen(input);
  const user = render(shared, input);
  const deps: ActDeps = { shared, run, acted: parts.acted };
  const claim = (args: unknown) => claimed(parts, deps, args);
  return {
    id: run.id,
    agent: shared.session.agent,
    get events() {
      return run.events;
    },
    conversation: last.conversation,
    policy: strongest(events),
    context,
    history,
    knocks,
    digests,
    text: [...leadIn, ...events]
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n'),
    system: STANDING_RULES,
    user,
    get fresh() {
      return history.length === 0 ? user : render(shared, { ...input, history: [] });
    },
    prompt: `${STANDING_RULES}\n\n${user}`,
    messages: [
      { role: 'system', content: STANDING_RULES },
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
    reply(text, options = {}) {
      const said = spoken(text);
      return said === undefined
        ? Promise.resolve(SILENT)
        : act(deps, 'chat.send_message', { ...options, text: said });
    },
    ask: parts.ask,
    react: (signal, options = {}) => act(deps, 'chat.react', { ...options, signal }),
    claim: () => claim({}),
    defer: (reason, options = {}) => act(deps, 'chat.defer', { ...options, reason }),
    readThread: (options = {}) => act(deps, 'chat.read_thread', options),
    step: () => step(parts),
  };
}

export function render(shared: AgentDeps, input: PromptInput): string {
  const { events, seen, knocks, digests, history = [] } = input;
  const texts = [
    ...[...seen, ...history, ...events, ...knocks, ...digests].map(({ text }) => text),
    ...events.map(({ obligation }) => obligation?.defaultAction ?? ''),
  ];
  return renderTurn(input, chooseFence(shared.random, texts), shared.limits);
}

/** The claim, and with it the message that was withheld until now. */
async function claimed(
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
  const shown = render(shared, { events: [event], seen: [], knocks: [], digests: [] });
  return { ...outcome, text: `${outcome.text}\n\n${shown}`, event };
}

async function step({ shared, run, interrupt }: TurnParts): Promise<Interrupt | undefined> {
  run.signal.throwIfAborted();
  if (shared.interrupts === 'never') return undefined;
  const taken = await interrupt();
  if (taken === undefined) return undefined;
  const { events, seen } = taken;
  return { events, prompt: render(shared, { events, seen, knocks: [], digests: [] }) };
}
