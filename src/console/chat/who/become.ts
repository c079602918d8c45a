// Changes who this tab speaks as. The token goes through the fragment of the address. The page takes it from there and
// removes it.
import type { Client } from '../../api/client.ts';

export function becomeHere(token: string): void {
  location.hash = personHash(token);
}

export function becomeInNewTab(token: string): void {
  // Without an opener, the new tab inherits nothing from this one.
  window.open(`${location.pathname}${personHash(token)}`, '_blank', 'noopener');
}

function personHash(token: string): string {
  return `#/chat?person=${encodeURIComponent(token)}`;
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

/** Makes an id that can be mentioned out of a name. Empty when nothing is left. */
export function personId(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}
