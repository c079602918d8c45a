// A model that makes the very same tool call again and again is going round in circles. Apart from the loop guard
// between agents, which the host keeps: this one is the turn's own.
import type { ToolName } from '../protocol/tool-name.ts';
import type { ToolOutcome } from './tools.ts';

type Call = (name: ToolName, args: unknown) => Promise<ToolOutcome>;

/** Passes calls on, until one comes more than `limit` times in a row. */
export function withoutCircles(call: Call, limit: number): Call {
  let last = '';
  let times = 0;
  return (name, args) => {
    const key = `${name} ${JSON.stringify(args)}`;
    times = key === last ? times + 1 : 1;
    last = key;
    return times > limit ? Promise.resolve(refused(limit)) : call(name, args);
  };
}

function refused(limit: number): ToolOutcome {
  const text = `You have made this very call ${limit} times in a row and its answer will not change. Do something else, or end your turn.`;
  return { ok: false, text, data: {}, error: 'same_call' };
}
