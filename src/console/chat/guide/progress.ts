// How far a step of the guide has got. It is read from what people and agents really said and did, not from which
// button was pressed.
import type { WebMessage } from '../../../protocol/web-chat.ts';

export interface Check {
  words: string;
  done: boolean;
}

/** What happened since the step began, oldest first. */
export interface Seen {
  messages: readonly WebMessage[];
  me: string;
}

type Reader = (seen: Seen) => Check[];

const READERS: Readonly<Record<string, Reader>> = { mention, fragments, thanks, role, loop, leave };

export function checksOf(step: string, seen: Seen): Check[] {
  return READERS[step]?.(seen) ?? [];
}

export function isDone(checks: readonly Check[]): boolean {
  return checks.length > 0 && checks.every(({ done }) => done);
}

function mention(seen: Seen): Check[] {
  const asked = seen.messages.findLastIndex((one) => isMine(seen, one) && agentsIn(one).length === 1);
  const who = agentsIn(seen.messages[asked])[0];
  return [
    { words: 'You mention one agent', done: asked >= 0 },
    {
      words: 'It answers, alone',
      done: asked >= 0 && by(seen, asked, who).length > 0 && others(seen, asked, who).length === 0,
    },
  ];
}

function fragments(seen: Seen): Check[] {
  const first = seen.messages.findIndex(
    (one, index) =>
      isMine(seen, one) &&
      agentsIn(one).length === 1 &&
      [1, 2].every((next) => isPlain(seen, seen.messages[index + next])),
  );
  const who = agentsIn(seen.messages[first])[0];
  const answers = first < 0 ? [] : by(seen, first + 2, who);
  return [
    { words: 'You write three lines, one after another', done: first >= 0 },
    { words: 'One answer to all three', done: answers.length === 1 },
  ];
}

function thanks(seen: Seen): Check[] {
  const said = seen.messages.findLastIndex((one) => isMine(seen, one) && agentsIn(one).length === 1);
  const signs = seen.messages[said]?.reactions ?? [];
  const signed = signs.some(
    ({ signal, by: authors }) => signal === 'seen' && authors.some(({ kind }) => kind !== 'human'),
  );
  return [
    { words: 'You thank an agent', done: said >= 0 },
    { words: 'Your message is marked as seen', done: signed },
    { words: 'Nobody answers', done: signed && others(seen, said, undefined).length === 0 },
  ];
}

function role(seen: Seen): Check[] {
  const asked = seen.messages.findLastIndex(
    (one) => isMine(seen, one) && one.mentions.some(({ kind }) => kind === 'role'),
  );
  const answers = asked < 0 ? [] : others(seen, asked, undefined);
  const authors = new Set(answers.map(({ author }) => author.id));
  const taken =
    seen.messages[asked]?.states.some(({ state }) => state === 'claimed' || state === 'answered') ?? false;
  return [
    { words: 'You mention a role', done: asked >= 0 },
    { words: 'One of its holders claims it', done: taken || answers.length > 0 },
    { words: 'That one answers, and no other', done: authors.size === 1 },
  ];
}

/** This many lines back and forth count as an argument. */
const BACK_AND_FORTH = 4;

function loop(seen: Seen): Check[] {
  const asked = seen.messages.findLastIndex((one) => isMine(seen, one) && agentsIn(one).length > 1);
  const pair = agentsIn(seen.messages[asked]);
  const said =
    asked < 0 ? [] : others(seen, asked, undefined).filter(({ author }) => pair.includes(author.id));
  const lines = said.filter((one) => agentsIn(one).length > 0);
  // Earshot's own line is about one of the two.
  const told = said.some(({ notice }) => notice === true);
  return [
    { words: 'You ask two agents to argue', done: asked >= 0 },
    { words: 'They go back and forth', done: lines.length >= BACK_AND_FORTH },
    { words: 'They are stopped, and you are told', done: told },
  ];
}

function leave(seen: Seen): Check[] {
  const sent = seen.messages.findIndex((one) => isMine(seen, one) && agentsIn(one).length === 1);
  const who = agentsIn(seen.messages[sent])[0];
  const back = seen.messages.findIndex(
    (one, index) => index > sent && isMine(seen, one) && agentsIn(one).includes(who ?? ''),
  );
  const quiet = seen.messages.findIndex((one, index) => index > sent && isPlain(seen, one));
  const before = seen.messages.slice(0, back < 0 ? undefined : back);
  const goodbyes = sent < 0 ? [] : by({ ...seen, messages: before }, sent, who);
  const silent = sent >= 0 && quiet > sent && by({ ...seen, messages: before }, quiet, who).length === 0;
  return [
    { words: 'You send an agent away, and it says goodbye', done: goodbyes.length > 0 },
    {
      words: 'You speak without a mention: it is silent',
      done: silent && quiet < (back < 0 ? Number.POSITIVE_INFINITY : back),
    },
    { words: 'You mention it: it is back', done: sent >= 0 && back > sent && by(seen, back, who).length > 0 },
  ];
}

function isMine({ me }: Seen, { author, deleted }: WebMessage): boolean {
  return author.kind === 'human' && author.id === me && deleted !== true;
}

/** A message of mine that addresses nobody. */
function isPlain(seen: Seen, message: WebMessage | undefined): boolean {
  return message !== undefined && isMine(seen, message) && message.mentions.length === 0;
}

function agentsIn(message: WebMessage | undefined): string[] {
  return (message?.mentions ?? []).filter(({ kind }) => kind === 'agent').map(({ id }) => id);
}

/** What one agent said after a message. */
function by({ messages }: Seen, index: number, agent: string | undefined): WebMessage[] {
  return messages.slice(index + 1).filter(({ author }) => author.kind === 'agent' && author.id === agent);
}

/** What all agents but one said after a message. */
function others({ messages }: Seen, index: number, agent: string | undefined): WebMessage[] {
  return messages.slice(index + 1).filter(({ author }) => author.kind === 'agent' && author.id !== agent);
}
