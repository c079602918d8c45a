// Starts the surfaces. One that cannot work says so by its health; it keeps neither the host nor the others down. One that
// has a connection of its own is started where its lease is; all of them post from there.
import type { ActAnswer, Surface, SurfaceAct, SurfaceHost } from '../../surfaces/surface.ts';
import type { Ingest } from '../ingest/ingest.ts';
import type { HostContext } from '../kernel/context.ts';
import { surfaceLease } from '../kernel/leases.ts';
import { knownPlaces } from './known-places.ts';
import type { SurfaceStates } from './surface-health.ts';
import { createSurfaceMemory } from './surface-memory.ts';

export interface SurfaceDeps {
  context: HostContext;
  ingest: Ingest;
  states: SurfaceStates;
  act: (surface: string, act: SurfaceAct) => Promise<ActAnswer>;
  /** This node posts there from now on. Another one may have left something. */
  takenOver: (surface: Surface) => Promise<unknown>;
}

export interface RunningSurfaces {
  /** Every one of this node. Their leases are free for the others then. */
  stop(): Promise<void>;
}

export async function startSurfaces(
  deps: SurfaceDeps,
  surfaces: Iterable<Surface>,
): Promise<RunningSurfaces> {
  const { nodes } = deps.context.store;
  const running = new Set<Surface>();
  const start = async (surface: Surface): Promise<void> => {
    running.add(surface);
    await startSurface(deps, surface);
  };
  const stop = async (surface: Surface): Promise<void> => {
    if (running.delete(surface)) await surface.stop();
  };
  const all = [...surfaces];
  await Promise.all(
    all.map(async (surface) => {
      if (isEverywhere(surface)) await start(surface);
      await nodes.want(surfaceLease(surface.id), {
        async gained() {
          if (!isEverywhere(surface)) await start(surface);
          if (nodes.id !== undefined) await deps.takenOver(surface);
        },
        lost: () => (isEverywhere(surface) ? undefined : stop(surface)),
      });
    }),
  );
  return {
    async stop() {
      for (const surface of all) await stop(surface);
      await Promise.all(all.map(({ id }) => nodes.giveUp(surfaceLease(id))));
    },
  };
}

/** Whether every node has it. A source is a program elsewhere, which asks any of them. */
export function isEverywhere({ everywhere, source }: Pick<Surface, 'everywhere' | 'source'>): boolean {
  return everywhere === true || source !== undefined;
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
