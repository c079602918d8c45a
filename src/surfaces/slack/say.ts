// What agents do on Slack: post, ask with buttons, react, and look for a post whose answer was lost.
import type { Clock } from '../../runtime/clock.ts';
import { type Failure, findOutcomeOf, outcomeOf } from '../failure.ts';
import type {
  DecidedQuestion,
  OutboundMessage,
  OutboundQuestion,
  OutboundReaction,
  PostOutcome,
} from '../surface.ts';
import type { SlackApi } from './api.ts';
import { nameOfGlyph } from './emoji.ts';
import { readPast } from './past.ts';
import { msOfTs } from './payload.ts';
import { askOf, decidedOf, type QuestionOptions } from './question.ts';
import { isOwn } from './read-event.ts';
import { type Login, knownOf } from './take.ts';
import type { People } from './people.ts';
import { findFiles, prepareFiles, shareFiles } from './send-files.ts';
import { MAX_CHARS, channelOf, keyIn, postOf, threadOf } from './write.ts';

export interface SayDeps {
  api: SlackApi;
  login: Login | undefined;
  people: People;
  /** What this server and this app have turned out not to know. Kept for the next post. */
  style: Style;
  clock: Clock;
  /** For another address of the API than Slack's own. */
  apiUrl: string | undefined;
}

export interface Style {
  markdown: boolean;
  /** In blocks. */
  markdownBlock: boolean;
  persona: boolean;
}

/** Slack's clock and ours may differ by this much. */
const SKEW_MS = 5 * 60_000;
/** How many messages are looked through. */
const LOOK = { newest: 200, most: 1_000 } as const;

/** Files that Slack does not take leave no text without them. */
export async function post(deps: SayDeps, message: OutboundMessage): Promise<PostOutcome> {
  const { attachments, following } = message;
  const files = { ...deps, persona: deps.style.persona };
  if (attachments !== undefined) return shareFiles(files, message);
  const problem =
    following === undefined ? undefined : await prepareFiles(files, { ...message, files: following });
  return problem ?? say(deps, message, (options) => postOf(message, options));
}

/** A message with buttons. `choose` in act-payload.ts reads what comes back. */
export function ask(deps: SayDeps, question: OutboundQuestion): Promise<PostOutcome> {
  return say(deps, question, (options) => askOf(question, options));
}

type Args = Record<string, unknown>;

async function say(
  deps: SayDeps,
  message: OutboundMessage,
  written: (options: QuestionOptions) => Args | undefined,
): Promise<PostOutcome> {
  const { api, style } = deps;
  const args = written(optionsOf(deps));
  if (args === undefined)
    return { type: 'refused', error: `longer than ${MAX_CHARS} characters: shorten or split it` };
  const only = message.visibility === 'ephemeral' ? message.onlyFor : undefined;
  const called = await (only === undefined
    ? api.call<{ ts?: string }>('chat.postMessage', args)
    : api.call<{ ts?: string; message_ts?: string }>('chat.postEphemeral', { ...args, user: only }));
  if (called.ok) {
    const { ts = (called.value as { message_ts?: string }).message_ts } = called.value;
    return ts === undefined ? { type: 'unknown', error: 'no ts' } : { type: 'visible', platformId: ts };
  }
  // Nothing was posted, so the same may be said more plainly.
  return learns(style, called.failure) ? say(deps, message, written) : outcomeOf(called.failure);
}

function optionsOf({ people, style }: SayDeps): QuestionOptions {
  return { ...style, nameOf: (id) => people.nameOf(id)?.name };
}

/** The buttons go, and people read how it ended. What is gone needs no end. */
export async function showDecided(deps: SayDeps, question: DecidedQuestion): Promise<PostOutcome> {
  const { platformId } = question;
  const called = await deps.api.call('chat.update', decidedOf(question, optionsOf(deps)));
  if (called.ok) return { type: 'visible', platformId };
  return learns(deps.style, called.failure) ? showDecided(deps, question) : outcomeOf(called.failure);
}

/** Older servers know no Markdown, and an app may lack the permission to post under other names. */
export function learns(style: Style, failure: Failure): boolean {
  if (failure.type !== 'refused') return false;
  if (failure.code === 'no_text' && style.markdown) style.markdown = false;
  else if (failure.code === 'invalid_blocks' && style.markdownBlock) style.markdownBlock = false;
  else if (failure.code === 'missing_scope' && style.persona) style.persona = false;
  else return false;
  return true;
}

/**
 * Looks where it would be. Our clock may be wrong, so the newest messages are read whatever the time, and a thread is read
 * whole. Only a busy channel is read from the time of the send on.
 */
export async function find(deps: SayDeps, message: OutboundMessage): Promise<PostOutcome> {
  const { api, login, people } = deps;
  if (login === undefined) return { type: 'unknown', error: 'not logged in to Slack yet' };
  if (message.attachments !== undefined) return findFiles({ ...deps, persona: false }, message);
  const { place, createdAt, idempotencyKey } = message;
  if (message.visibility === 'ephemeral')
    return { type: 'unknowable', error: 'what only one reader sees is in no history' };
  const channel = channelOf(place);
  const thread = threadOf(place);
  const known = knownOf(login, people, 0);
  const since = createdAt - SKEW_MS;
  const looks =
    thread === undefined
      ? [
          { channel, limit: LOOK.newest },
          { channel, since, limit: LOOK.most },
        ]
      : [{ channel, thread, limit: LOOK.most }];
  for (const look of looks) {
    const past = await readPast(api, look);
    if (!past.ok) return findOutcomeOf(past.failure);
    const { messages, isWhole } = past.value;
    const found = messages.find((one) => keyIn(one) === idempotencyKey && isOwn(one, known));
    if (found !== undefined) return { type: 'visible', platformId: found.ts };
    const [oldest] = messages;
    if (isWhole || (thread === undefined && oldest !== undefined && msOfTs(oldest.ts) < since))
      return { type: 'absent' };
  }
  return { type: 'unknowable', error: 'too much was said since then to look through' };
}

/** Done already is done. */
const SAME: ReadonlySet<string> = new Set(['already_reacted', 'no_reaction']);

export async function react({ api }: SayDeps, reaction: OutboundReaction): Promise<PostOutcome> {
  const { place, target, glyph, remove } = reaction;
  const name = nameOfGlyph(glyph);
  if (name === undefined) return { type: 'refused', error: `Slack has no emoji for ${glyph}` };
  if (target.platformId === undefined) return { type: 'refused', error: 'the message has no id on Slack' };
  const method = remove === true ? 'reactions.remove' : 'reactions.add';
  const called = await api.call(method, { channel: channelOf(place), timestamp: target.platformId, name });
  const done: PostOutcome = { type: 'visible', platformId: `${target.platformId}:${name}` };
  if (called.ok) return done;
  const { failure } = called;
  return failure.type === 'refused' && SAME.has(failure.code) ? done : outcomeOf(failure);
}
