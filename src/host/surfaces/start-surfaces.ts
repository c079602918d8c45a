// Starts the surfaces. One that cannot work says so by its health; it keeps neither the host nor the others down.
import type { ActAnswer, Surface, SurfaceAct, SurfaceHost } from '../../surfaces/surface.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { HostContext } from '../kernel/context.ts';
import { knownPlaces } from './known-places.ts';
import type { SurfaceStates } from './surface-health.ts';
import { createSurfaceMemory } from './surface-memory.ts';

export interface SurfaceDeps {
  context: HostContext;
  ingest: Ingest;
  states: SurfaceStates;
  act: (surface: string, act: SurfaceAct) => Promise<ActAnswer>;
}

export async function startSurfaces(deps: SurfaceDeps, surfaces: Iterable<Surface>): Promise<void> {
  await Promise.all(Array.from(surfaces, (surface) => startSurface(deps, surface)));
}

async function startSurface(deps: SurfaceDeps, surface: Surface): Promise<void> {
  try {
    await surface.start(surfaceHost(deps, surface));
  } catch (error) {
    deps.context.log.error({ err: error, surface: surface.id }, 'a surface could not be started');
    deps.states.note(surface.id, {
      state: 'down',
      error: error instanceof Error ? error.message : String(error),
      fix: 'Restart Earshot. If it happens again, report it with the log: the adapter failed.',
    });
  }
}

function surfaceHost({ context, ingest, states, act }: SurfaceDeps, surface: Surface): SurfaceHost {
  const { id } = surface;
  return {
    ingest: (events) => ingest(events, id),
    accounts: (accounts) => context.accounts.learn(surface, accounts),
    memory: createSurfaceMemory(context, id),
    known: (limit) => knownPlaces(context.store, id, limit),
    health: (state) => states.note(id, state),
    act: (given) => act(id, given),
    ignored: (what) => states.ignore(id, what),
  };
}
