// Scripted agents: handlers as an author would write them, each with one habit. A test uses them instead of a model, or
// as the other agents beside the one under test.
import type { ToolOutcome, Turn, TurnHandler } from '../agent/index.ts';
import type { ToolName } from '../protocol/tool-name.ts';

/** What a script gets besides its turn. A handler that needs none of it is a script already. */
export interface Desk {
  /** Waits on the virtual clock. Ends early when the turn is cancelled. */
  wait(ms: number): Promise<void>;
  /** A number in [0, 1), drawn from the seed. */
  chance(): number;
  /** Calls a tool with exactly these arguments, idempotency key included. The SDK adds nothing. */
  call(name: ToolName, args: Record<string, unknown>): Promise<ToolOutcome>;
}

export type Script = (turn: Turn, desk: Desk) => ReturnType<TurnHandler>;

/** Answers every turn. Claims offers, and gives up when another agent was faster. */
export function eager(answer: (text: string, turn: Turn) => string = plain): Script {
  return async (turn) => {
    const text = await taken(turn);
    if (text !== undefined) await turn.reply(answer(text, turn));
  };
}

/** Answers when it must. When it only may, it reacts, or stays silent if a notice asks for silence. */
export function polite(answer: (text: string, turn: Turn) => string = plain): Script {
  return async (turn) => {
    if (turn.policy === 'must_respond') return answer(turn.text, turn);
    const notices = turn.events.flatMap((event) => event.notices);
    if (notices.includes('claim_first')) await turn.react('declined');
    else if (notices.length === 0) await turn.react('seen');
    return undefined;
  };
}

/** Waits before it runs the other script. Stops when it is cancelled. */
export function slow(ms: number, then: Script = eager()): Script {
  return async (turn, desk) => {
    await desk.wait(ms);
    return turn.signal.aborted ? undefined : then(turn, desk);
  };
}

/**
 * Sends its answer, then the same key again, then other words under that key, then the same words under another key.
 */
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

/** Always asks the other agent something new, for ever. */
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

/** Quotes nothing of what was said, because a name or an @ in it would address somebody. */
const plain = (_text: string, { events }: Turn): string => `Answer to ${events.at(-1)?.eventId}.`;

/** The text of the turn. For an offer: the claimed text, or undefined when another agent got it. */
async function taken(turn: Turn): Promise<string | undefined> {
  const offered = turn.events.some(({ notices }) => notices.includes('claim_first'));
  if (!offered) return turn.text;
  const claim = await turn.claim();
  return claim.ok ? (claim.event?.text ?? '') : undefined;
}
