// GitHub's forms for a new app and a new token, with everything filled in: what it may do, and what it is told.
// https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-using-url-parameters
import { EVENTS, PERMISSIONS } from './login.ts';

/** In the organisation of the repositories. `address`: where GitHub reaches this host, for webhooks. */
export function newAppUrl({
  id = 'github',
  repositories,
  address,
  agent,
}: {
  /** Of the surface. */
  id?: string;
  repositories: readonly string[];
  address?: string;
  /** The agent whose own app it is. */
  agent?: string;
}): string {
  const [owner = ''] = (repositories[0] ?? '').split('/');
  const form = new URL(`https://github.com/organizations/${owner}/settings/apps/new`);
  form.searchParams.set('name', agent ?? 'earshot');
  form.searchParams.set('url', address ?? 'https://github.com');
  for (const name of Object.keys(PERMISSIONS)) form.searchParams.set(name, 'write');
  form.searchParams.set('webhook_active', String(address !== undefined));
  if (address === undefined) return form.href;
  const path = `/v1/surfaces/${id}/events${agent === undefined ? '' : `/${agent}`}`;
  form.searchParams.set('webhook_url', `${address}${path}`);
  for (const name of Object.keys(EVENTS)) form.searchParams.append('events[]', name);
  return form.href;
}

export function newTokenUrl(repositories: readonly string[]): string {
  const [owner = ''] = (repositories[0] ?? '').split('/');
  const form = new URL('https://github.com/settings/personal-access-tokens/new');
  form.searchParams.set('name', 'earshot');
  form.searchParams.set('target_name', owner);
  for (const name of Object.keys(PERMISSIONS)) form.searchParams.set(name, 'write');
  return form.href;
}
