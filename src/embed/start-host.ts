// A host inside a program of one's own. The program chooses the store and brings its surfaces; everything else has a
// default. Only what this file offers is promised from one version to the next: the parts of the host behind it are not.
import type { z } from 'zod';
import { type AttentionSettingsInput, attentionSettingsSchema, hashText } from '../attention/index.ts';
import {
  createHost,
  createHostStateCodec,
  type HostLog,
  hostSettingsSchema,
  INTERNAL_SURFACE,
  type OpinionModel,
} from '../host/index.ts';
import { createRedactor } from '../host/security/redact.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { silentLog } from '../runtime/log.ts';
import { type Random, systemRandom } from '../runtime/random.ts';
import type { StateCodec, Store } from '../store/store.ts';
import { internalSurface } from '../surfaces/internal/internal.ts';
import type { IngestResult, Surface } from '../surfaces/surface.ts';
import { memoryPair } from '../transport/memory.ts';
import type { Transport } from '../transport/transport.ts';

export interface StartHostOptions {
  /** Opened with `stateCodecFor(attention)` and the same clock. The host does not close it. */
  store: Store;
  /** Agents and rules, as in `earshot.yaml`. */
  attention: AttentionSettingsInput;
  /** Where chat happens. The host's own surface, for agents among themselves, is added. */
  surfaces: readonly Surface[];
  /** The section `host` of `earshot.yaml`. */
  settings?: z.input<typeof hostSettingsSchema>;
  /** Values that must never reach a model, a log or a page, besides those that look like a secret. */
  secrets?: readonly string[];
  clock?: Clock;
  random?: Random;
  /** Asked where attention is unsure, if the settings have `secondOpinion`. Without it nobody is asked. */
  opinionModel?: OpinionModel;
  /** Silent when left out. */
  log?: HostLog;
}

export interface EmbeddedHost {
  /** Hands events over for a surface. Resolves when they are durable. A surface may use what its `start` is given instead. */
  ingest(events: readonly unknown[], surface: string): Promise<IngestResult[]>;
  /** A new session of an agent in this process, for `connect({ agent, transport: () => host.link(agent) })`. */
  link(agent: string): Transport;
  /** Ends sessions and surfaces. What is not finished is durable, and goes on at the next start. */
  stop(): Promise<void>;
}

/** How the store reads and writes the host's states. A state that cannot be read is rebuilt from the log. */
export function stateCodecFor(attention: AttentionSettingsInput): StateCodec {
  return createHostStateCodec(attentionSettingsSchema.parse(attention));
}

export async function startHost(options: StartHostOptions): Promise<EmbeddedHost> {
  const { store, surfaces, clock = systemClock, random = systemRandom, log = silentLog } = options;
  const attention = attentionSettingsSchema.parse(options.attention);
  const settings = hostSettingsSchema.parse(options.settings ?? {});
  const { findSecrets } = createRedactor({ exact: options.secrets ?? [] });
  const host = await createHost({
    store,
    clock,
    random,
    log,
    attention,
    settings,
    configVersion: String(hashText(JSON.stringify([attention, settings]))),
    surfaces: [internalSurface(INTERNAL_SURFACE), ...surfaces],
    findSecrets,
    ...(options.opinionModel !== undefined && { opinionModel: options.opinionModel }),
  });
  return {
    ingest: (events, surface) => host.ingest(events, surface),
    link(agent) {
      const known = attention.agents.map(({ id }) => id);
      if (!known.includes(agent))
        throw new RangeError(`there is no agent "${agent}": name one of ${known.join(', ')}`);
      const [hostSide, agentSide] = memoryPair({ clock });
      // A refused session closes the transport, and the agent hears of it there.
      host.connect(hostSide, { kind: 'agent', agent }).catch(() => undefined);
      return agentSide;
    },
    stop: () => host.stop(),
  };
}
