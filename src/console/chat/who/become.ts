// Who this tab speaks as: the token goes through the address's fragment, where the page takes it in and out of sight.
import type { Client } from '../../api/client.ts';

export function becomeHere(token: string): void {
  location.hash = personHash(token);
}

export function becomeInNewTab(token: string): void {
  // Without an opener the new tab starts with nothing of this one's.
  window.open(`${location.pathname}${personHash(token)}`, '_blank', 'noopener');
}

function personHash(token: string): string {
  return `#/chat?person=${encodeURIComponent(token)}`;
}

/** A token for somebody new, or a further one for somebody who is here. */
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

/** From a name to an id that can be mentioned; empty when nothing is left of it. */
export function personId(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
}
