// Scripted agents: handlers as an author would write them, each with one habit. They stand in for a model where a test
// is about manners, and for the other agents where it is about one's own.
import type { ToolOutcome, Turn, TurnHandler } from '../agent/index.ts';
import type { ToolName } from '../protocol/tool-name.ts';

/** What a script has besides its turn. A handler that needs none of it is a script as it stands. */
export interface Desk {
  /** On the virtual clock. Ends early when the turn is cancelled. */
  wait(ms: number): Promise<void>;
  /** In [0, 1), from the seed. */
  chance(): number;
  /** A tool call with every argument its own, keys too, as over HTTP: around what the SDK attaches. */
  call(name: ToolName, args: Record<string, unknown>): Promise<ToolOutcome>;
}

export type Script = (turn: Turn, desk: Desk) => ReturnType<TurnHandler>;

/** Answers everything it is woken for; what is offered it claims, and lets go when another was faster. */
export function eager(answer: (text: string, turn: Turn) => string = plain): Script {
  return async (turn) => {
    const text = await taken(turn);
    if (text !== undefined) await turn.reply(answer(text, turn));
  };
}

/** Answers what it must. When it may, it leaves a reaction, or nothing at all where its silence was asked for. */
export function polite(answer: (text: string, turn: Turn) => string = plain): Script {
  return async (turn) => {
    if (turn.policy === 'must_respond') return answer(turn.text, turn);
    const notices = turn.events.flatMap((event) => event.notices);
    if (notices.includes('claim_first')) await turn.react('declined');
    else if (notices.length === 0) await turn.react('seen');
    return undefined;
  };
}

/** Thinks so long before it does what the other would have done; stops when it is cancelled. */
export function slow(ms: number, then: Script = eager()): Script {
  return async (turn, desk) => {
    await desk.wait(ms);
    return turn.signal.aborted ? undefined : then(turn, desk);
  };
}

/** Says it, says it again under the same key, other words under that key, and once more under another key. */
export function duplicateProne(answer: (text: string, turn: Turn) => string = plain): Script {
  return async (turn, desk) => {
    const text = answer(turn.text, turn);
    const { conversation, events, id } = turn;
    const message = {
      target: conversation.target,
      inReplyTo: events.at(-1)?.eventId,
      visibility:
        conversation.kind === 'dm' || conversation.kind === 'thread' ? conversation.kind : 'channel',
      directedness: 'to_me',
      turnId: id,
    };
    const say = (key: string, words: string): Promise<ToolOutcome> =>
      desk.call('chat.send_message', { ...message, text: words, idempotencyKey: `${id}:${key}` });
    await Promise.all([say('first', text), say('first', text)]);
    await say('first', text);
    await say('first', `${text} (or rather not)`);
    await say('second', text);
  };
}

/** Asks the other agent something new, whatever it is told, for ever. */
export function looping(other: string): Script {
  let asked = 0;
  return async (turn) => {
    const question = `@${other} ${ASKS[asked % ASKS.length]} ${THINGS[Math.floor(asked / ASKS.length) % THINGS.length]}?`;
    asked += 1;
    await turn.reply(question, { mentions: [`agent:${other}`], recipient: `agent:${other}` });
  };
}

const ASKS = ['could you check', 'who wrote', 'where do we keep', 'can you measure', 'what became of'];
const THINGS = ['the staging deploy', 'the invoices', 'the nightly backup', 'the release notes', 'the cache'];

/** Repeats nothing of what was said: a name or an @ in it would call somebody. */
const plain = (_text: string, { events }: Turn): string => `Answer to ${events.at(-1)?.eventId}.`;

/** What the turn is about; for an offer, what was claimed. Undefined when it went to another agent. */
async function taken(turn: Turn): Promise<string | undefined> {
  const offered = turn.events.some(({ notices }) => notices.includes('claim_first'));
  if (!offered) return turn.text;
  const claim = await turn.claim();
  return claim.ok ? (claim.event?.text ?? '') : undefined;
}
