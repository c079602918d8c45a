// Tells one person something that nobody else sees. Slack gives an address for that with every interaction; it works also
// where the app has not been invited. Without it, or when it fails, it is an ephemeral message.
import type { Clock } from '../../runtime/clock.ts';
import type { SlackApi } from './api.ts';
import type { Asker } from './act-payload.ts';
import { isSlack } from './files.ts';
import { textOf } from './write.ts';

export interface TellDeps {
  api: SlackApi;
  apiUrl: string | undefined;
  clock: Clock;
}

const TELL_MS = 10_000;

/** What Slack shows to one person, as a response to what that person did. Nothing in it pings. */
export function alone(text: string): { response_type: 'ephemeral'; text: string } {
  const plain = { markdown: false, persona: false, nameOf: () => undefined };
  return { response_type: 'ephemeral', text: textOf({ text, mentions: [] }, plain) };
}

/** False: it could not be told. */
export async function tellAlone(deps: TellDeps, asker: Asker, text: string): Promise<boolean> {
  const { channel, user, thread, responseUrl } = asker;
  const said = alone(text);
  const inThread = thread === undefined ? {} : { thread_ts: thread };
  if (responseUrl !== undefined && (await respond(deps, responseUrl, { ...said, ...inThread }))) return true;
  const called = await deps.api.call('chat.postEphemeral', { channel, user, text: said.text, ...inThread });
  return called.ok;
}

/** Slack signed the address. Still, nothing is posted outside of Slack. */
async function respond({ apiUrl, clock }: TellDeps, to: string, said: object): Promise<boolean> {
  const url = URL.parse(to);
  if (url === null || !isSlack(url, apiUrl)) return false;
  const late = new AbortController();
  const cancel = clock.after(TELL_MS, () => late.abort());
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // The question stays as it is: the host shows what became of it.
      body: JSON.stringify({ ...said, replace_original: false }),
      redirect: 'manual',
      signal: late.signal,
    });
    return response.ok;
  } catch {
    return false;
  } finally {
    cancel();
  }
}
