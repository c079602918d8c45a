// An agent's share of the tools. Each call takes its turn in the lane of its kind, whatever the way it came by
// (security/shares.ts). A call beyond the share is refused with the time to come back, and is not audited: it did nothing.
import { wireError } from '../../protocol/errors.ts';
import { type ToolCallResult, toolRefusal } from '../../protocol/tool.ts';
import type { ToolName } from '../../protocol/tool-name.ts';
import { type LaneName, PACED } from '../security/shares.ts';
import type { ToolCaller } from './tool-context.ts';

/** Tools that are not here act. */
const LANES: Partial<Record<ToolName, LaneName>> = {
  'chat.list_events': 'read',
  'chat.read_thread': 'read',
  'chat.open_set': 'read',
  'chat.read_attachment': 'file',
  'chat.ask_permission': 'ask',
};

/** A poll whose place a newer one took comes back after this time. */
const POLL_RETRY_MS = 1_000;

const laneOf = (name: ToolName): LaneName => LANES[name] ?? 'act';

/** Its answer may be long, and its caller rests after much of it. */
export const isRead = (name: ToolName): boolean => PACED.has(laneOf(name));

type RunTool = (caller: ToolCaller) => Promise<ToolCallResult>;

export async function withinShare(name: ToolName, caller: ToolCaller, run: RunTool): Promise<ToolCallResult> {
  if (name === 'chat.wait_events') return polling(caller, run);
  const { shares } = caller.context;
  const who = `agent:${caller.agent}`;
  const lane = laneOf(name);
  const taken = isRead(name) ? undefined : shares.take(who, 'acts');
  if (taken?.ok === false) return tooMany(taken.retryAfterMs);
  return shares.run({ who, lane, signal: caller.signal, refuse: tooMany }, async () => {
    const result = await run(caller);
    if (isRead(name)) shares.read(who, bytesOf(result));
    return result;
  });
}

/** What a poll has leased is always answered, also when a newer one took its place. */
async function polling(caller: ToolCaller, run: RunTool): Promise<ToolCallResult> {
  const { shares } = caller.context;
  const poll = shares.polls.begin(`agent:${caller.agent}`);
  if (poll === undefined) return tooMany(POLL_RETRY_MS);
  const { signal } = caller;
  const ends = signal === undefined ? poll.replaced : AbortSignal.any([poll.replaced, signal]);
  try {
    const result = await run({ ...caller, signal: ends });
    return poll.replaced.aborted && isEmpty(result) ? tooMany(POLL_RETRY_MS) : result;
  } finally {
    poll.end();
  }
}

function isEmpty({ isError, structuredContent }: ToolCallResult): boolean {
  const events: unknown = structuredContent?.['events'];
  return isError !== true && Array.isArray(events) && events.length === 0;
}

function tooMany(retryAfterMs: number): ToolCallResult {
  return toolRefusal(wireError('rate_limited', { retryAfterMs }));
}

/** About what the answer takes on the wire: the result is in it twice, the bytes of a file once. */
function bytesOf({ content, structuredContent }: ToolCallResult): number {
  const text = content.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
  const data: unknown = structuredContent?.['data'];
  return 2 * text + (typeof data === 'string' ? data.length : 0);
}
