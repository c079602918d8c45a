// The message behind a link of Slack: `https://team.slack.com/archives/C1/p1712345678000100?thread_ts=1712345600.000700`.
import type { SurfacePlace } from '../surface.ts';
import { conversationOf, PLATFORM } from './read-event.ts';
import type { Login } from './take.ts';

const PATH = /^\/archives\/([CDG][A-Z0-9]+)\/p(\d{10})(\d{6})$/;

/** Undefined: it is no link to a message of this workspace. */
export function messageAt(
  link: string,
  login: Login | undefined,
): { place: SurfacePlace; platformId: string } | undefined {
  const url = URL.parse(link);
  const [, channel, seconds, count] = PATH.exec(url?.pathname ?? '') ?? [];
  if (url === null || channel === undefined || login === undefined) return undefined;
  if (login.host !== undefined && url.host !== login.host) return undefined;
  const ts = `${seconds}.${count}`;
  const { id, parentId } = conversationOf(channel, { ts, thread_ts: url.searchParams.get('thread_ts') });
  const place = { platform: PLATFORM, workspaceId: login.team, conversationId: id };
  return { place: parentId === undefined ? place : { ...place, parentId }, platformId: ts };
}
