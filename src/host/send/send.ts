// send: takes an agent's message from the tool call into the durable outbox. The same key with the same body returns
// the stored result; the same key with another body is refused. The delivery that it answers is settled in the same
// unit. Posting comes after that (post.ts).
import { type AttentionState, type Place, agentKey } from '../../attention/index.ts';
import { type WireError, wireError } from '../../protocol/errors.ts';
import { deliveryKey, identity } from '../../protocol/identity.ts';
import type { UnitView, Write } from '../../store/store.ts';
import type { DeliveryRow, LogRow, OutboxRow } from '../../store/tables.ts';
import type { Surface } from '../../surfaces/surface.ts';
import { askedIn, decisionOf, newestOf } from '../delivery/delivery-row.ts';
import { inboxKeys } from '../inbox/inbox-row.ts';
import { agentRecordIn, saidHash } from '../kernel/agent-record.ts';
import { type Change, noChange } from '../kernel/change.ts';
import type { HostContext } from '../kernel/context.ts';
import {
  type ConversationState,
  agentStateKey,
  conversationIn,
  INTERNAL_SURFACE,
  isBetweenAgents,
  newConversation,
  type Places,
  resolveTarget,
  parentKeyOf,
  placeOf,
  readConversation,
} from '../kernel/conversation.ts';
import { decisionForAgent, subjectOf } from '../kernel/log-row.ts';
import { bodyHashOf, messageBodyOf, sendKey } from '../outbox/outbox-row.ts';
import { tooLong } from '../outbox/parts.ts';
import { mayReadRoom } from '../read/may-read.ts';
import { isFirstOfAskedTurn, licenceOf, madeGood } from './licence.ts';
import { type QuoteDeps, quotesPrivately } from './private-quote.ts';
import {
  type Destination,
  type DestinationDeps,
  type FoundDestination,
  privateDestination,
} from './private-way.ts';
import { type ReadFiles, cannotShow, readFiles, saidWith } from './read-files.ts';
import { threadOfAnswer, unopenedThread } from './thread-way.ts';
import { isElsewhere, placeOfTurn, visibilityOf } from './where-sent.ts';
import { type SendInput, type SendView, refuseSend } from './send-rules.ts';
import type { OutboundLimit } from '../security/rate-limit.ts';
import type { Growing } from '../turn/growing.ts';
import { acceptSend } from './accept-send.ts';

export type Sent =
  | { ok: true; key: string; row: OutboxRow; replayed: boolean }
  | { ok: false; error: WireError };

/** What a send is judged with. */
export interface WeighDeps extends DestinationDeps, QuoteDeps {
  outbound: OutboundLimit;
  /** The session of the harness that sends it, if it calls over one. */
  session?: { epoch: number } | undefined;
}

export interface SendDeps extends WeighDeps {
  /** An answer that people saw grow keeps its place. */
  growing: Pick<Growing, 'take'>;
  /** The event that it will be, where somebody has to know that before it is posted. */
  eventId?: string;
  /** The audit row of the call, for the same unit. `refused` names the refusal, if there is one. */
  audit: (now: number, refused?: string) => Write[];
}

export async function send(deps: SendDeps, agent: string, input: SendInput): Promise<Sent> {
  const grown = deps.growing.take(agent, input);
  try {
    const sent = await weighSend<Sent>(deps, agent, input, (view, weighed) =>
      acceptSend(deps, view, weighed, grown),
    );
    grown?.done(sent);
    return sent;
  } catch (error) {
    grown?.done(undefined);
    throw error;
  }
}

/** A send that no rule refuses. */
export interface Weighed {
  sent: SendView;
  conversation: ConversationState;
  target: Destination;
  /** The key of its outbox row. */
  key: string;
}

/** Judges a send in one unit with what `accept` makes of it. */
export async function weighSend<R>(
  deps: WeighDeps,
  agent: string,
  input: SendInput,
  accept: (view: UnitView, weighed: Weighed) => Change & { result: R },
): Promise<R | Sent> {
  const { context } = deps;
  const { store } = context;
  const key = sendKey(agent, input.idempotencyKey);
  const stored = await store.get('outbox', key);
  if (stored !== undefined) return repeatedSend(stored, bodyHashOf(input));
  const given = input.attachments === undefined ? undefined : await readFiles(context, input);
  if (given?.ok === false) return refusedWith(given.error);
  const { files, words } = given?.read ?? { files: [], words: input.text };
  const firstKey = input.inReplyTo === undefined ? undefined : deliveryKey(input.inReplyTo, agent);
  const delivered = firstKey === undefined ? undefined : await store.get('delivery', firstKey);
  const answers = await loadAnswered(context, input, delivered);
  const near = answers?.record.event;
  const where = await destinationOf(deps, agent, input, near);
  if (!where.ok) return refusedWith(where.error);
  if (!(await mayWrite(context, agent, where, delivered)))
    return refusedWith(wireError('not_found', { what: 'conversation' }));
  const target = (await threadOfAnswer(deps, input, where.destination, answers)) ?? where.destination;
  const limited = await checkRate(deps, agent, target.key, key);
  if (limited !== undefined) return refusedWith(limited);
  const searched = { ...input, text: words };
  const quotes = mayQuote(searched, target, answers)
    ? { reason: await quotesPrivately(deps, agent, searched, target, answers) }
    : undefined;
  const about = answers === undefined ? undefined : subjectOf(answers);
  const parent = await parentOf(context, target);
  const asked = answers?.conversation ?? target.key;
  return context.apply<R | Sent>({
    states: [...new Set([target.key, agentStateKey(agent), asked])],
    ...(parent !== undefined && { reads: [parent] }),
    rows: [
      ['outbox', key],
      ['session', agent],
      ...(answers === undefined ? [] : [['log', answers.key] as const]),
      ...(about === undefined ? [] : [['offer', about] as const]),
      ...(firstKey === undefined ? [] : [['delivery', firstKey] as const]),
    ],
    run(view) {
      const known = view.row('outbox', key);
      if (known !== undefined) return { ...noChange(), result: repeatedSend(known, bodyHashOf(input)) };
      // The call was under way when another harness of the agent took over, which was handed what this one answers.
      if (deps.session !== undefined && view.row('session', agent)?.epoch !== deps.session.epoch)
        return { ...noChange(), result: refusedWith(wireError('fenced')) };
      const conversation = conversationAt(target, conversationIn(view, target.key));
      if (conversation === undefined)
        return { ...noChange(), result: refusedWith(wireError('not_found', { what: 'conversation' })) };
      const surface = deps.surface(context.speakers.homeOf(conversation));
      const unshowable =
        tooLongFor(surface, input.text) ??
        (files.length === 0 ? undefined : cannotShow(surface, input, files));
      if (unshowable !== undefined) return { ...noChange(), result: refusedWith(unshowable) };
      const above = parent === undefined ? undefined : conversationIn(view, parent);
      const said = conversationIn(view, asked);
      const rooms = { conversation, above, asked: said?.attention, key: target.key, target, quotes };
      const sent = sendView(context, view, agent, input, { ...rooms, files, words }, answers);
      const error = refuseSend(sent);
      if (error !== undefined) return { ...noChange(), result: refusedWith(error) };
      return accept(view, { sent, conversation, target, key });
    },
  });
}

/** More than the surface can show is refused before anything of it is posted. */
function tooLongFor(surface: Surface | undefined, text: string): WireError | undefined {
  return surface === undefined ? undefined : tooLong(text, surface.capabilities);
}

/** Whether only one is to see it, or one is named. Every other send goes to the conversation it names. */
function isForOne({ visibility, target }: SendInput): boolean {
  return visibility === 'dm' || visibility === 'ephemeral' || target.startsWith('human:');
}

/** A shorter text repeats no run of words. */
const SHORTEST_QUOTE = 16;

/** Whether it can take anything from elsewhere. A short answer where it was asked cannot, and costs nothing more. */
function mayQuote({ text, turnId }: SendInput, target: Destination, answers: LogRow | undefined): boolean {
  const inPlace = answers === undefined ? turnId === undefined : answers.conversation === target.key;
  return !inPlace || text.length >= SHORTEST_QUOTE;
}

/** Where the send is to go. `room`: the room of a thread that nobody has written in yet. */
async function destinationOf(
  deps: WeighDeps,
  agent: string,
  input: SendInput,
  near: LogRow['record']['event'] | undefined,
): Promise<FoundDestination & { room?: string }> {
  const place = near ?? (await placeOfTurn(deps.context, agent, input.turnId));
  const named = await namedDestination(deps.places, input.target, agent, place);
  if (isForOne(input)) return privateDestination(deps, agent, input, near, named);
  if (named.ok) return named;
  const thread = await unopenedThread(deps, input.target, place);
  return thread === undefined ? named : { ok: true, ...thread };
}

/** The conversation or agent that the target names. */
async function namedDestination(
  places: Places,
  target: string,
  agent: string,
  near: Place | undefined,
): Promise<FoundDestination> {
  const found = await resolveTarget(places, target, agent, near);
  if (found.type === 'unknown') return { ok: false, error: wireError('not_found', { what: found.what }) };
  const { key } = found;
  if (found.type === 'known') return { ok: true, destination: { key } };
  const opens = { place: found.place, surface: INTERNAL_SURFACE };
  return { ok: true, destination: { key, opens, to: identity('agent', found.to) } };
}

/** Refuses a send when the agent or the conversation has sent too much. A retry under the same key costs nothing. */
export async function checkRate(
  { context, outbound }: Pick<SendDeps, 'context' | 'outbound'>,
  agent: string,
  conversation: string,
  key: string,
): Promise<WireError | undefined> {
  if ((await context.store.get('outbox', key)) !== undefined) return undefined;
  const taken = outbound.take(agent, conversation);
  return taken.ok ? undefined : wireError('rate_limited', { retryAfterMs: taken.retryAfterMs });
}

/** The logged event that a send answers, named by its own id or by the id of a delivery about it. */
async function loadAnswered(
  { store }: HostContext,
  { inReplyTo }: SendInput,
  delivered: DeliveryRow | undefined,
): Promise<LogRow | undefined> {
  if (inReplyTo === undefined) return undefined;
  return store.get('log', delivered?.source ?? inReplyTo);
}

/** An agent may write where it may read, and where it was asked something. */
async function mayWrite(
  context: HostContext,
  agent: string,
  { destination: target, room = target.key }: { destination: Destination; room?: string },
  delivered: DeliveryRow | undefined,
): Promise<boolean> {
  if (target.to !== undefined || delivered?.conversation === room) return true;
  return mayReadRoom(context, agent, room);
}

/** The key of the parent conversation. An agent that has left a room has left its threads too. */
async function parentOf({ store }: HostContext, target: Destination): Promise<string | undefined> {
  const place = (await readConversation(store, target.key))?.place ?? target.opens?.place;
  return place === undefined ? undefined : parentKeyOf(place);
}

/** The conversations that decide about a send, and what it holds. */
interface SendRooms extends ReadFiles {
  /** Where it goes. */
  conversation: ConversationState;
  key: string;
  /** The parent of that conversation. */
  above: ConversationState | undefined;
  /** Where the event that it answers was said. */
  asked: AttentionState | undefined;
  target: Destination;
  quotes: SendView['quotes'];
}

function sendView(
  context: HostContext,
  view: UnitView,
  agent: string,
  input: SendInput,
  rooms: SendRooms,
  answers: LogRow | undefined,
): SendView {
  const { conversation, above, asked, key } = rooms;
  const record = agentRecordIn(view, agent);
  const parent = parentKeyOf(conversation.place);
  const isPlaceOf = (other: string): boolean => other === key || other === parent;
  const delivery =
    input.inReplyTo === undefined
      ? madeGood(view, record, input, isPlaceOf)
      : askedIn(view, input.inReplyTo, agent);
  const delivered = delivery === undefined ? undefined : decisionOf(delivery);
  const logged = loggedIn(view, answers, delivery);
  // The log has the decision about the event itself. The delivery of a claim says only what the claim allows.
  const decided = logged === undefined ? undefined : (decisionForAgent(logged, agent) ?? delivered);
  const sent: Omit<SendView, 'licence'> = {
    agent,
    input,
    now: view.now,
    limits: context.settings.limits,
    conversation: key,
    asked,
    mode: modeFor(context, conversation, above, agent),
    record,
    answers: logged,
    about: logged === undefined ? undefined : subjectOf(logged),
    decided,
    delivery,
    replacedBy: replacementOf(view, delivery),
    files: rooms.files,
    words: rooms.words,
    textHash: saidHash(
      rooms.files.length === 0 ? input.text : saidWith(input.text, rooms.files),
      input.recipient,
    ),
    inPlace: logged !== undefined && (isInPlace(key, logged, isPlaceOf) || isToAuthor(rooms.target, logged)),
    isPlaceOf,
    visibility: visibilityOf(input, rooms.target, [conversation, above]),
    elsewhere: isElsewhere(view, record, input, logged, key),
    quotes: rooms.quotes,
    agentDm: isBetweenAgents(conversation.place),
    hasOpenAsk: conversation.attention.asks.some((ask) => ask.agent === agentKey(agent)),
    firstOfAskedTurn: () => isFirstOfAskedTurn(view, sent),
  };
  return { ...sent, licence: licenceOf(view, sent) };
}

/** The open delivery that is to be answered in place of this one. */
function replacementOf(view: UnitView, delivery: DeliveryRow | undefined): string | undefined {
  const newest = delivery?.state === 'superseded' ? newestOf(view, delivery.key) : undefined;
  return newest?.open === 1 ? newest.eventId : undefined;
}

/** The logged event that it answers, as the unit sees it. */
function loggedIn(
  view: UnitView,
  answers: LogRow | undefined,
  delivery: DeliveryRow | undefined,
): LogRow | undefined {
  const key = answers?.key ?? delivery?.source;
  return key === undefined ? undefined : (view.row('log', key) ?? answers);
}

/** Where it was said, in a thread there, or in the room of the thread in which it was said. */
function isInPlace(key: string, answers: LogRow, isPlaceOf: SendView['isPlaceOf']): boolean {
  return isPlaceOf(answers.conversation) || parentKeyOf(placeOf(answers.record.event)) === key;
}

/** An answer to whoever asked may go to their direct message. */
function isToAuthor({ to }: Destination, { record: { event } }: LogRow): boolean {
  return to !== undefined && to === identity(event.author.kind, event.author.id);
}

function refusedWith(error: WireError): Sent {
  return { ok: false, error };
}

function repeatedSend(known: OutboxRow, bodyHash: string): Sent {
  if (known.bodyHash !== bodyHash) return refusedWith(wireError('duplicate_key_other_body'));
  if (known.state === 'awaiting_approval')
    return refusedWith(wireError('needs_approval', { approvalId: inboxKeys.approval(known.key) }));
  if (known.state === 'cancelled') return refusedWith(cancelledError(known));
  return { ok: true, key: known.key, row: known, replayed: true };
}

/** A stop or a person has cancelled it, so the same text must not be sent again. */
export function cancelledError(row: OutboxRow): WireError {
  const { error: why } = row;
  if (why !== 'declined' && why !== 'lapsed') return wireError('fenced', { why });
  const unsaid = why === 'lapsed' ? 'nobody decided in time' : 'no reason was given';
  return wireError('declined', { why, reason: messageBodyOf(row).declined ?? unsaid });
}

function conversationAt(
  { opens }: Destination,
  state: ConversationState | undefined,
): ConversationState | undefined {
  if (state !== undefined) return state;
  return opens === undefined ? undefined : newConversation(opens.place, opens.surface);
}

/** The agent's mode in the conversation. A left parent counts too. */
function modeFor(
  context: HostContext,
  { place, attention }: ConversationState,
  parent: ConversationState | undefined,
  agent: string,
): SendView['mode'] {
  const roster = context.rosterAt(place);
  const bound = roster.byIdentity.get(agent);
  const modeIn = (state: AttentionState) => state.agents.find(({ key }) => key === bound?.key)?.mode;
  const own = modeIn(attention);
  if (own !== undefined && own !== null) return own;
  return parent !== undefined && modeIn(parent.attention) === 'left' ? 'left' : roster.mode;
}
