// A person of the web chat on the command line: signs in like a tab, finds a room by the name that people see, posts, and
// hears what agents answer.
import type {
  WebChatMethod,
  WebChatNews,
  WebChatNotification,
  WebChatParams,
  WebChatResult,
  WebConversation,
} from '../protocol/web-chat.ts';
import { systemClock } from '../runtime/clock.ts';
import { createPeer } from '../transport/peer.ts';
import { webSocketClient } from '../transport/websocket-client.ts';
import { CommandError } from './io.ts';
import { suggestion } from './nearest.ts';

export type WebNews = {
  [N in WebChatNotification]: { type: N; news: WebChatNews<N> };
}[WebChatNotification];

export interface WebTalk {
  hello: WebChatResult<'hello'>;
  ask<M extends WebChatMethod>(method: M, params: WebChatParams<M>): Promise<WebChatResult<M>>;
  close(): void;
}

export async function openWebTalk(
  url: string,
  token: string,
  onNews: (news: WebNews) => void,
): Promise<WebTalk> {
  const address = `${url.replace(/^http/, 'ws')}/web`;
  const peer = createPeer(webSocketClient({ url: address, clock: systemClock }), {
    clock: systemClock,
    onNotification: (type, news) => onNews({ type, news } as unknown as WebNews),
  });
  const ask = async <M extends WebChatMethod>(
    method: M,
    params: WebChatParams<M>,
  ): Promise<WebChatResult<M>> => {
    const outcome = await peer.request(method, params);
    if (outcome.ok) return outcome.result as WebChatResult<M>;
    if (outcome.kind === 'error') throw new CommandError(1, outcome.error.message);
    throw new CommandError(1, `the host at ${url} does not answer: is it still running?`);
  };
  try {
    await peer.start();
  } catch (error) {
    throw new CommandError(1, `the host at ${url} does not answer: is it still running?`, { cause: error });
  }
  return { hello: await ask('hello', { token }), ask, close: () => peer.close('normal') };
}

/** The room with this name, written with or without `#`, or with this id. */
export function roomNamed(rooms: readonly WebConversation[], given: string): WebConversation {
  const name = given.replace(/^#/, '').toLowerCase();
  const channels = rooms.filter(({ kind }) => kind === 'channel');
  const found =
    rooms.find(({ id }) => id === given) ??
    channels.find(({ id, title }) => [id, title].some((one) => one.toLowerCase() === name));
  if (found !== undefined) return found;
  const names = channels.map(({ title }) => title);
  throw new CommandError(1, `there is no room "${given}"; ${suggestion(name, names)}`);
}
