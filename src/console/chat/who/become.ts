// Changes who this tab speaks as. The token goes through the fragment of the address. The page takes it from there and
// removes it.
import type { Client } from '../../api/client.ts';
import { parseRoute } from '../../route.ts';

export function becomeHere(token: string): void {
  location.hash = personHash(token);
}

export function becomeInNewTab(token: string): void {
  // Without an opener, the new tab inherits nothing from this one.
  window.open(`${location.pathname}${personHash(token)}`, '_blank', 'noopener');
}

/** Whoever signs in at a link to a message comes to that message. */
function personHash(token: string): string {
  const { query } = parseRoute(location.hash);
  const place = ['room', 'thread', 'message'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value]];
  });
  return `#/chat?${new URLSearchParams([['person', token], ...place])}`;
}

/** Makes a token for a new person, or another one for an existing person. */
export async function mintPerson(
  client: Client,
  { id, name }: { id: string; name: string },
): Promise<string> {
  const { token } = await client.post<{ token: string }>('/v1/tokens', {
    kind: 'person',
    subject: id,
    label: name,
  });
  return token;
}

export { personIdOf as personId } from '../../../protocol/person-name.ts';
