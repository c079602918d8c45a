// Commands that people give in a room, answered to them alone: `why`, `mode MODE [AGENT]` and `leave [AGENT]`. Anybody in
// the room may give them: they tell about what the room has seen, and ask of an agent what one may ask it in words.
import { createHash } from 'node:crypto';
import { hostId } from '../../protocol/derived-id.ts';
import { iso } from '../../protocol/log-record.ts';
import { MODES, type ConversationMode } from '../../protocol/vocabulary.ts';
import type { LogRow } from '../../store/tables.ts';
import type { SurfaceAct } from '../../surfaces/surface.ts';
import { auditWrite } from '../kernel/audit.ts';
import {
  type ConversationState,
  conversationKeyFor,
  parentKeyOf,
  placeOf,
  readConversation,
} from '../kernel/conversation.ts';
import { scopedId } from '../kernel/event-id.ts';
import { unpackDecisions } from '../kernel/log-row.ts';
import { findShown } from '../outbox/on-platform.ts';
import { CONVERSATION_MODE_WORDS, modeAfter } from './operator-acts.ts';
import { decisionWords } from './plain-words.ts';
import type { SurfaceActDeps } from './surface-acts.ts';

type Command = Extract<SurfaceAct, { type: 'command' }>;

/** A command where it was given. */
interface Given {
  deps: SurfaceActDeps;
  surface: string;
  act: Command;
  room: ConversationState;
  key: string;
  words: readonly string[];
}

const HELP = `Say "why" on a message, "mode ${MODES.join('|')} AGENT", or "leave AGENT".`;
const COMMANDS: Readonly<Record<string, (given: Given) => Promise<string>>> = {
  why,
  mode: ({ words: [mode = '', agent], ...given }) => {
    const wanted = MODES.find((one) => one === mode);
    return wanted === undefined ? Promise.resolve(HELP) : setMode(given, wanted, agent);
  },
  leave: ({ words: [agent], ...given }) => setMode(given, 'left', agent),
};

export async function runCommand(deps: SurfaceActDeps, surface: string, act: Command): Promise<string> {
  const [name = '', ...words] = act.text.trim().split(/\s+/);
  const command = Object.hasOwn(COMMANDS, name.toLowerCase()) ? COMMANDS[name.toLowerCase()] : undefined;
  if (command === undefined) return HELP;
  const { platform, workspaceId, conversationId } = act.place;
  const key = conversationKeyFor(platform, workspaceId, conversationId);
  const room = await readConversation(deps.context.store, key);
  if (room?.surface !== surface) return 'Nothing was heard here yet.';
  return command({ deps, surface, act, room, key, words });
}

/** How many of the newest records are looked through for a message of a person. */
const LOOKED_BACK = 50;

async function why({ deps, surface, act, room, key, words: [link] }: Given): Promise<string> {
  const linked = link === undefined ? undefined : deps.surface(surface)?.fromLink?.(link)?.platformId;
  const id = act.about ?? linked ?? link;
  const row = id === undefined ? await newestOfPeople(deps, key) : await saidHere(deps, surface, key, id);
  if (row === undefined) return 'There is no such message here. Ask where it was said.';
  const roster = deps.context.rosterAt(room.place);
  const { author } = row.record.event;
  const told = unpackDecisions(row.decisions, row.key).map(
    (decision) => decisionWords(decision, roster).headline,
  );
  const lines = told.length === 0 ? ['No agent was asked about it.'] : told.map((line) => `- ${line}`);
  return [`${author.displayName ?? author.id}, ${iso(row.at)}:`, ...lines].join('\n');
}

async function newestOfPeople(
  { context: { store } }: SurfaceActDeps,
  key: string,
): Promise<LogRow | undefined> {
  const rows = await store.scan('log', 'byConversation', { eq: [key], limit: LOOKED_BACK, descending: true });
  return rows.find(({ type, record }) => type === 'message' && record.event.author.kind === 'human');
}

/** The message with this id in the room or in a thread of it. What was said elsewhere is not told here. */
async function saidHere(
  { context: { store } }: SurfaceActDeps,
  surface: string,
  key: string,
  id: string,
): Promise<LogRow | undefined> {
  const shown = await findShown(store, surface, key, id);
  for (const one of [shown, id, scopedId(key, id)]) {
    const row = one === undefined ? undefined : await store.get('log', one);
    if (row !== undefined && isHere(row, key)) return row;
  }
  const namesakes = await store.scan('log', 'bySourceId', { eq: [id], limit: LOOKED_BACK, descending: true });
  return namesakes.find((row) => isHere(row, key));
}

function isHere({ conversation, record }: LogRow, key: string): boolean {
  return conversation === key || parentKeyOf(placeOf(record.event)) === key;
}

async function setMode(
  { deps, surface, act, room, key }: Omit<Given, 'words'>,
  mode: ConversationMode,
  named: string | undefined,
): Promise<string> {
  const { context, committer } = deps;
  const here = context.rosterAt(room.place).agents.map(({ id }) => id);
  const agent = named === undefined && here.length === 1 ? here[0] : named?.replace(/^@/, '');
  if (agent === undefined || !here.includes(agent)) return `Name one of the agents here: ${here.join(', ')}.`;
  const { person, personName = person } = act;
  // The platform may tell the same command twice. It is one event then.
  const eventId = hostId(
    'act',
    createHash('sha256').update(`${surface}/${act.actId}`).digest('hex').slice(0, 20),
  );
  const event = {
    type: 'mode' as const,
    eventId,
    at: context.clock.now(),
    ...placeOf(room.place),
    author: { id: person, kind: 'human' as const, displayName: personName },
    agent,
    mode,
  };
  const unit = committer.unit(await committer.prepare(event, surface, 'host'));
  const { effects } = await context.apply({
    ...unit,
    run(view) {
      const change = unit.run(view);
      const detail = { agent, conversation: key, mode };
      change.writes.push(auditWrite(context, view.now, `human:${person}`, 'mode', detail));
      return change;
    },
  });
  if (effects.some(({ type }) => type === 'refused')) return 'Too many agents have a mode of their own here.';
  return `${agent} ${CONVERSATION_MODE_WORDS[modeAfter({ effects }, mode)]} here.`;
}
