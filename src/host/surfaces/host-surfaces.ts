// The surfaces of a running host, as operators, platforms and the web chat reach them.
import type { Nodes } from '../../store/nodes.ts';
import type {
  ActAnswer,
  Surface,
  SurfaceAct,
  SurfaceAnswer,
  SurfacePlace,
  SurfaceRequest,
} from '../../surfaces/surface.ts';
import { surfaceLease } from '../kernel/leases.ts';
import { isEverywhere } from './start-surfaces.ts';
import type { SurfaceStates } from './surface-health.ts';

export interface HostSurfaces {
  /** How each one is. */
  all: SurfaceStates['all'];
  /** Undefined when there is no such surface, or it takes no requests. */
  request(id: string, request: SurfaceRequest): Promise<SurfaceAnswer | undefined>;
  /** What a person did there that is no message: a choice under a question, or a command. */
  act(id: string, act: SurfaceAct): Promise<ActAnswer>;
  /** The message behind a link of a platform. */
  fromLink(link: string): { surface: string; place: SurfacePlace; platformId: string } | undefined;
}

export function hostSurfaces(
  surfaces: ReadonlyMap<string, Surface>,
  states: SurfaceStates,
  nodes: Nodes,
  act: HostSurfaces['act'],
): HostSurfaces {
  return {
    all: () => states.all(),
    async request(id, request) {
      const surface = surfaces.get(id);
      if (surface === undefined || isEverywhere(surface) || nodes.holds(surfaceLease(id)))
        return surface?.request?.(request);
      // The platform sends it again, and another node answers.
      return {
        status: 503,
        headers: { 'retry-after': '1' },
        body: 'Another node takes this. Send it again.',
      };
    },
    act,
    fromLink(link) {
      for (const surface of surfaces.values()) {
        const found = surface.fromLink?.(link);
        if (found !== undefined) return { surface: surface.id, ...found };
      }
      return undefined;
    },
  };
}
