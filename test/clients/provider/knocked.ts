// The model of a session that knocks wake: it takes what it was knocked for with one tool, and answers with another. What
// it has taken counts as said to it, so that the scenarios need not know.
import type { Asked } from './asked.ts';
import type { Brain, Does } from './server.ts';

const TAKEN = /^EVENT /m;
const SENT = /"status":"sent"/;

/** The events that were taken stand in the turn, and the results are those of other tools. */
export function withTaken(asked: Asked): Asked {
  const events = asked.results.flatMap((text) => {
    const at = text.search(TAKEN);
    return at < 0 ? [] : [text.slice(at)];
  });
  const results = asked.results.filter((text) => !TAKEN.test(text));
  return { ...asked, turn: [asked.turn, ...events].join('\n'), results };
}

/** Answers a knock with the tools, as the instructions of the server say. */
export function knocked(brain: Brain): Brain {
  return async (asked): Promise<Does> => {
    const named = (name: string): string => asked.tools.find((tool) => tool.name.endsWith(name))?.name ?? '';
    if (!asked.turn.includes('kind="knock"') || named('chat_wait_events') === '') return brain(asked);
    if (!TAKEN.test(asked.turn))
      return asked.results.length > 0
        ? { text: 'Nothing to do.' }
        : { calls: [{ name: named('chat_wait_events'), input: {} }] };
    if (asked.results.some((text) => SENT.test(text))) return { text: 'Answered.' };
    const does = await brain({ ...asked, results: asked.results });
    if (does.text === undefined || does.calls !== undefined || does.status !== undefined) return does;
    return { calls: [{ name: named('chat_send_message'), input: { text: does.text } }] };
  };
}
