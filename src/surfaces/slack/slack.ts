// Slack as a surface: one workspace, through one app for all agents or one for each. Events come over Socket Mode or HTTP;
// what several apps hear is one event. Everything that Slack may do wrong is an outcome or a state of health, never a crash.
import type { WebClient, WebClientOptions } from '@slack/web-api';
import type { Clock } from '../../runtime/clock.ts';
import type { Surface } from '../surface.ts';
import { within } from '../within.ts';
import { amend } from './amend.ts';
import { Bots } from './bots.ts';
import type { LoginOptions } from './bot.ts';
import { messageAt } from './link.ts';
import { PLATFORM } from './read-event.ts';
import { historyOf, membersOf, openDirect } from './reads.ts';
import { ask, find, post, react, showDecided } from './say.ts';
import { channelOf, MAX_CHARS } from './write.ts';

/** The first app, and what is the same for all. */
export interface SlackOptions extends LoginOptions {
  id: string;
  clock: Clock;
  /** Slack's own packages, loaded by the caller. */
  WebClient: new (
    token: string,
    options: WebClientOptions,
  ) => WebClient;
  /** Further apps in the same workspace, with agents of their own. */
  more?: readonly LoginOptions[] | undefined;
  replies?: 'thread' | 'room' | undefined;
  /** Another address than https://slack.com/api/. */
  apiUrl?: string | undefined;
}

/** How many messages one text may become. */
const MAX_PARTS = 20;
/** Slack takes a gigabyte. */
const FILE_BYTES = 1_000_000_000;
/** Slack waits three seconds for an answer, and the first event of a conversation waits for its history. */
const HISTORY_MS = 1_500;

export const CAPABILITIES: Surface['capabilities'] = {
  hears: { edits: true, deletes: true, reactions: true, typing: false, bots: true },
  does: {
    edits: true,
    deletes: true,
    reactions: true,
    typing: true,
    ephemeral: true,
    questions: true,
    files: true,
  },
  threads: 'any',
  membership: true,
  idempotentForMs: 0,
  findable: true,
  maxChars: MAX_CHARS,
  maxParts: MAX_PARTS,
  files: { maxBytes: FILE_BYTES, apart: true },
};

export function slackSurface(options: SlackOptions): Surface {
  const { id, clock, replies } = options;
  const bots = new Bots(options);
  return {
    id,
    platform: PLATFORM,
    capabilities: CAPABILITIES,
    ...(replies !== undefined && { replies }),
    start: (host) => bots.start(host),
    stop: () => bots.stop(),
    post: (message) => bots.of(message.agent).say(message.agent, (deps) => post(deps, message)),
    react: (reaction) => bots.of(reaction.agent).say(reaction.agent, (deps) => react(deps, reaction)),
    amend: (amendment) => bots.of(amendment.agent).say(amendment.agent, (deps) => amend(deps, amendment)),
    find: (message) => bots.of(message.agent).say(message.agent, (deps) => find(deps, message)),
    ask: (question) => bots.of(question.agent).say(question.agent, (deps) => ask(deps, question)),
    decided: (question) => bots.of(question.agent).say(question.agent, (deps) => showDecided(deps, question)),
    async typing(place, agent, on) {
      if (place.parentId === undefined) return; // Slack shows it in threads only
      const args = { channel_id: channelOf(place), thread_ts: place.conversationId };
      await bots
        .of(agent)
        .current()
        ?.api.call('assistant.threads.setStatus', { ...args, status: on ? 'is working on it…' : '' });
    },
    attachment: (request) => bots.readFile(request),
    async history(request) {
      // What is still being caught up is no history: it is handed over to be decided.
      const before = Math.min(request.before, bots.missingSince() ?? Infinity);
      const told = bots.ask(request.place, (current) =>
        historyOf(current, bots.people, { ...request, before }),
      );
      return (await within(clock, HISTORY_MS, told)) ?? [];
    },
    members: (place) => bots.ask(place, (current) => membersOf(current, bots.people, place)),
    async direct(person, agent) {
      const current = bots.of(agent).current();
      return current === undefined ? NOT_YET : openDirect(current, person);
    },
    fromLink: (link) => messageAt(link, bots.anyLogin()),
    ...(bots.takesRequests && { request: (given) => bots.take(given) }),
  };
}

const NOT_YET = { type: 'retry', error: 'not logged in to Slack yet' } as const;
