// A person of the web chat, made as an operator makes one.
import type { Listening } from '../server/up.ts';

export async function personToken(host: Listening, id: string, name: string): Promise<string> {
  const wanted = { kind: 'person', subject: id, label: name };
  const { status, body, text } = await host.call('POST', '/v1/tokens', host.tokens.operator, wanted);
  if (status !== 201) throw new Error(`no token for ${id}: ${text}`);
  return String(body['token']);
}
