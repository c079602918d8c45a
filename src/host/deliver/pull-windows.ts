// Compose windows for a harness that pulls. They are folded anew from the queued deliveries at every pull, so nothing is
// kept: fragments that were typed while nobody pulled come as one, and a restart changes nothing. Until a pull takes
// it a window is not injected, so it takes its author's fragments for the whole `composeMaxMs`.
import {
  COMPOSE_DEFAULTS,
  type ComposeInput,
  type ComposeState,
  compose,
  initialCompose,
  wakeAt,
} from '../../compose/index.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostNews } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import { composeOptions, fragmentInput, isFragment } from './fragments.ts';

export interface Windows {
  /** What may be handed over now: the keys of the deliveries that become one event, in the order of their first. */
  closed: (readonly string[])[];
  /** When the first of the open windows closes. */
  closeAt: number | undefined;
  /** The conversations with an open window. */
  conversations: ReadonlySet<string>;
}

/** `queued` in order. `composes`: false for a harness that composes by itself, which gets every delivery as it is. */
export async function openWindows(
  context: HostContext,
  typing: TypingSigns,
  queued: readonly DeliveryRow[],
  { composes, limit }: { composes: boolean; limit: number },
): Promise<Windows> {
  const nothingOpen = { closeAt: undefined, conversations: new Set<string>() };
  if (!composes) return { closed: queued.slice(0, limit).map(({ key }) => [key]), ...nothingOpen };
  // A window that begins with one of the first deliveries ends within its longest time. What is later matters to none.
  const firsts = queued.slice(0, limit);
  const until = (firsts.at(-1)?.createdAt ?? 0) + context.attention.limits.composeMaxMs;
  const near = queued.filter(({ createdAt }, index) => index < limit || createdAt <= until);
  const folded = await foldWindows(context, typing, near);
  const begins = new Set(firsts.map(({ key }) => key));
  const closed = [...folded.closed, ...near.filter((row) => !isFragment(row)).map(({ key }) => [key])];
  const place = new Map(near.map(({ key }, index) => [key, index]));
  const placeOf = ([first = '']: readonly string[]): number => place.get(first) ?? 0;
  return {
    ...folded,
    closed: closed.filter(([first = '']) => begins.has(first)).toSorted((a, b) => placeOf(a) - placeOf(b)),
  };
}

async function foldWindows(
  context: HostContext,
  typing: TypingSigns,
  near: readonly DeliveryRow[],
): Promise<Windows> {
  const folded: Windows & { conversations: Set<string> } = {
    closed: [],
    closeAt: undefined,
    conversations: new Set(),
  };
  const now = context.clock.now();
  const options = { ...composeOptions(context), maxWindows: near.length };
  for (const [conversation, rows] of Map.groupBy(near.filter(isFragment), (row) => row.conversation)) {
    const inputs = [...(await fragmentsOf(context, rows)), ...typing.in(conversation)];
    // All windows wait until everything is folded, as if a turn ran.
    let state: ComposeState = { ...initialCompose(), foreign: true };
    for (const input of inputs) ({ state } = compose(state, input, options));
    const keys = new Map(rows.map(({ eventId, key }) => [eventId, key]));
    let end: ComposeInput | undefined = { type: 'turn_ended', at: now };
    while (end !== undefined) {
      const { state: next, outputs } = compose(state, end, options);
      state = next;
      const injected = outputs.find((output) => output.type === 'inject');
      if (injected !== undefined) folded.closed.push(injected.eventIds.flatMap((id) => keys.get(id) ?? []));
      end = injected && { type: 'turn_ended', at: now, turn: injected.turn };
    }
    const at = wakeAt(state, options);
    if (at === null) continue;
    folded.conversations.add(conversation);
    folded.closeAt = Math.min(at, folded.closeAt ?? at);
  }
  return folded;
}

async function fragmentsOf(context: HostContext, rows: readonly DeliveryRow[]): Promise<ComposeInput[]> {
  const inputs: ComposeInput[] = [];
  for (const row of rows) {
    const event = await context.store.get('log', row.source);
    if (event !== undefined) inputs.push(fragmentInput(context, row, event));
  }
  return inputs;
}

export interface TypingSigns {
  note(news: Extract<HostNews, { type: 'typing' }>): void;
  /** The authors who type in the conversation, each with their last sign. */
  in(conversation: string): ComposeInput[];
}

/** Authors whose last sign is remembered. The oldest is forgotten; its window then closes by the quiet time. */
const SIGNS_MAX = 1_000;

/** Remembers who types where. Typing signs are news and are not stored, so a restart forgets them. */
export function createTypingSigns({ clock }: Pick<HostContext, 'clock'>): TypingSigns {
  const signs = new Map<string, { conversation: string; author: string; at: number }>();
  return {
    note({ conversation, author: { kind, id }, typing }) {
      const author = `${kind}:${id}`;
      const key = `${author} ${conversation}`;
      signs.delete(key);
      if (typing) signs.set(key, { conversation, author, at: clock.now() });
      const [oldest] = signs.keys();
      if (signs.size > SIGNS_MAX && oldest !== undefined) signs.delete(oldest);
    },
    in(conversation) {
      const since = clock.now() - COMPOSE_DEFAULTS.typingMs;
      return [...signs.values()]
        .filter((sign) => sign.conversation === conversation && sign.at >= since)
        .map(({ author, at }) => ({ type: 'typing', author, typing: true, at }));
    },
  };
}
