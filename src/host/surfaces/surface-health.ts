// How each surface is: up, retrying, limited, or down with what a person has to do. A surface says so itself; whoever
// runs the host reads it in doctor, on the page, at `/metrics` and at `/v1/surfaces`.
import type { Clock } from '../../runtime/clock.ts';
import type { SurfaceHealth } from '../../surfaces/surface.ts';
import type { HostBus, HostLog } from '../kernel/change.ts';

export type ShownHealth = SurfaceHealth & {
  surface: string;
  platform: string;
  /** Epoch ms. Since when it is in this state. */
  since: number;
  /** What the platform sent and the surface left out, by name, since the host started. */
  ignored: Readonly<Record<string, number>>;
};

export interface SurfaceStates {
  note(surface: string, health: SurfaceHealth): void;
  /** Counts something that a surface left out. */
  ignore(surface: string, what: string): void;
  all(): readonly ShownHealth[];
}

/** How many names of what was left out are kept per surface. Further ones are counted together. */
const NAMES_MAX = 100;
const NAME_CHARS = 100;
const OTHERS = 'others';

export function createSurfaceStates(
  { clock, log, bus }: { clock: Clock; log: HostLog; bus: Pick<HostBus, 'publish'> },
  surfaces: Iterable<{ id: string; platform: string }>,
): SurfaceStates {
  const states = new Map<string, ShownHealth>();
  const ignored = new Map<string, Map<string, number>>();
  for (const { id, platform } of surfaces) {
    states.set(id, { surface: id, platform, since: clock.now(), state: 'up', ignored: {} });
    ignored.set(id, new Map());
  }
  return {
    note(surface, health) {
      const before = states.get(surface);
      if (before === undefined) return;
      const isSame = before.state === health.state;
      const since = isSame ? before.since : clock.now();
      states.set(surface, { surface, platform: before.platform, since, ignored: {}, ...health });
      if (isSame) return;
      bus.publish({ type: 'surface', surface, state: health.state });
      const line = { surface, ...health };
      if (health.state === 'up') log.info(line, 'a surface is up');
      else log.warn(line, 'a surface does not work as it should');
    },
    ignore(surface, what) {
      const counts = ignored.get(surface);
      if (counts === undefined) return;
      // Names come from the platform, so there is an end to how many are kept.
      const name = counts.has(what) || counts.size < NAMES_MAX ? what.slice(0, NAME_CHARS) : OTHERS;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      if (counts.get(name) === 1) log.info({ surface, what: name }, 'a surface left something out');
    },
    all: () =>
      [...states.values()].map((state) => ({
        ...state,
        ignored: Object.fromEntries(ignored.get(state.surface) ?? []),
      })),
  };
}
