// How the surfaces are, in words: for `GET /v1/surfaces`, `earshot doctor` and the page.
import { iso } from '../../protocol/log-record.ts';
import type { ShownSurface } from '../../protocol/operator-api.ts';
import type { ShownHealth } from '../surfaces/surface-health.ts';

export function shownSurface(health: ShownHealth, now: number): ShownSurface {
  const { surface: id, platform, state, since } = health;
  const { said, fix } = wordsOf(health, now);
  return { id, platform, state, since: iso(since), said: said + leftOut(health), fix };
}

/** How many names are shown. */
const NAMES = 5;

/** What the platform sent and the surface left out, the most frequent first. */
function leftOut({ ignored }: ShownHealth): string {
  const counts = Object.entries(ignored).toSorted(([, a], [, b]) => b - a);
  if (counts.length === 0) return '';
  const more = counts.length > NAMES ? ', …' : '';
  return `; left out: ${counts
    .slice(0, NAMES)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')}${more}`;
}

/** Whether messages come and go there, in part at least. */
export function isWorking({ state }: Pick<ShownHealth, 'state'>): boolean {
  return state === 'up' || state === 'limited';
}

function wordsOf(health: ShownHealth, now: number): Pick<ShownSurface, 'said' | 'fix'> {
  switch (health.state) {
    case 'up':
      return { said: health.detail === undefined ? 'up' : `up: ${health.detail}`, fix: null };
    case 'limited':
      return {
        said: `works in part; missing: ${health.missing.join('; ')}`,
        fix: 'grant what is missing on the platform, or do without it',
      };
    case 'retrying': {
      const seconds = Math.max(0, Math.ceil((health.nextAt - now) / 1_000));
      return {
        said: `out of reach: ${health.error}; tried again in ${seconds} s`,
        fix: 'nothing, if it comes back by itself; else look at the network and at the state of the platform',
      };
    }
    case 'down':
      return { said: `down: ${health.error}`, fix: health.fix };
  }
}
