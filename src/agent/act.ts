// One door for everything a turn does: its tools, `reply`, `react` and the rest. Fills in what the turn knows, attaches
// keys and tokens, counts outbound actions. A call is made again with the same key and body until it is answered.
import type { ToolName } from '../protocol/tool-name.ts';
import { keepClaim } from './claims.ts';
import { rootId, type TurnEvent } from './event.ts';
import type { AgentDeps } from './agent-deps.ts';
import { integer, record, string } from './read-event.ts';
import type { Run } from './run.ts';
import { readOutcome, type ToolOutcome } from './tools.ts';

type Args = Readonly<Record<string, unknown>>;

export interface ActDeps {
  shared: AgentDeps;
  run: Run;
  /** An outbound action was produced: the turn is not run again. */
  acted: () => void;
}

/** What others can see or the host settles by. A send counts when it was accepted: the host fences the rest. */
const ACTIONS: ReadonlySet<ToolName> = new Set(['chat.react', 'chat.defer', 'chat.resolve']);
const TRANSIENT = new Set(['rate_limited', 'internal']);

export async function act(deps: ActDeps, name: ToolName, given: unknown): Promise<ToolOutcome> {
  const { run, acted } = deps;
  if (run.aborted || run.over)
    return refused('cancelled', 'This turn is over. Stop: nothing it sends is accepted any more.');
  const args = filled(deps, name, record(given));
  if (ACTIONS.has(name)) acted();
  const outcome = await callTool(deps, name, args);
  if (name === 'chat.send_message' && (outcome.ok || outcome.error === 'unknown')) acted();
  if (name === 'chat.claim' && outcome.ok) noteClaim(deps, args, outcome);
  if (name === 'chat.defer' && outcome.ok && record(given)['inReplyTo'] === undefined) {
    // Fragments of one turn are put off together and come back together.
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
  keepClaim(shared.claims, event === undefined ? claimed : rootId(event), token);
}

function filled(deps: ActDeps, name: ToolName, given: Args): Args {
  const { run } = deps;
  const about = run.answers;
  if (about === undefined) return given;
  switch (name) {
    case 'chat.send_message':
      return filledSend(deps, about, given);
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
      return given;
  }
}

/** These take the event or the place, not both. */
function place(about: TurnEvent, given: Args): Args {
  return given['target'] === undefined ? { inReplyTo: about.eventId } : {};
}

function filledSend(deps: ActDeps, about: TurnEvent, given: Args): Args {
  const { run } = deps;
  const target = string(given['target']) ?? about.conversation.target;
  // Writing elsewhere answers nothing here, nor does what is said to be no answer.
  const { inReplyTo: named, ...rest } = given;
  const answers = named !== null && target === about.conversation.target;
  const inReplyTo = string(named) ?? (answers ? about.eventId : undefined);
  const token = inReplyTo === undefined ? undefined : tokenFor(deps, { inReplyTo });
  run.keys += 1;
  return {
    visibility: visibilityOf(target),
    // An answer is for whom it answers; it obliges nobody it does not name.
    directedness: inReplyTo === undefined && given['recipient'] === undefined ? 'ambient' : 'to_me',
    ...rest,
    target,
    ...(inReplyTo === undefined ? {} : { inReplyTo }),
    ...(token === undefined ? {} : { token }),
    idempotencyKey: `${run.id}:${run.keys}`,
    turnId: run.currentId,
  };
}

function tokenFor({ shared, run }: ActDeps, args: Args): number | undefined {
  const inReplyTo = string(args['inReplyTo']);
  if (inReplyTo === undefined) return undefined;
  const event = run.events.find(({ eventId }) => eventId === inReplyTo);
  return shared.claims.get(event === undefined ? inReplyTo : rootId(event));
}

function visibilityOf(target: string): string {
  const kind = target.slice(0, target.indexOf(':'));
  if (kind === 'thread' || kind === 'channel') return kind;
  return kind === 'system' || kind === 'tool' ? 'channel' : 'dm';
}
