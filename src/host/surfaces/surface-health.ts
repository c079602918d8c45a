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
};

export interface SurfaceStates {
  note(surface: string, health: SurfaceHealth): void;
  all(): readonly ShownHealth[];
}

export function createSurfaceStates(
  { clock, log, bus }: { clock: Clock; log: HostLog; bus: Pick<HostBus, 'publish'> },
  surfaces: Iterable<{ id: string; platform: string }>,
): SurfaceStates {
  const states = new Map<string, ShownHealth>();
  for (const { id, platform } of surfaces)
    states.set(id, { surface: id, platform, since: clock.now(), state: 'up' });
  return {
    note(surface, health) {
      const before = states.get(surface);
      if (before === undefined) return;
      const isSame = before.state === health.state;
      const since = isSame ? before.since : clock.now();
      states.set(surface, { surface, platform: before.platform, since, ...health });
      if (isSame) return;
      bus.publish({ type: 'surface', surface, state: health.state });
      const line = { surface, ...health };
      if (health.state === 'up') log.info(line, 'a surface is up');
      else log.warn(line, 'a surface does not work as it should');
    },
    all: () => [...states.values()],
  };
}
