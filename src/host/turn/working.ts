// Working signs: people see that an agent is at work, also where its harness cannot say so. A webhook works while its
// request is under way, an agent that pulls while a question is leased to it. A harness with a session says it by itself
// (`notifications/typing`). A sign is working memory: it fades, and nothing depends on it.
import { deliveryKey } from '../../protocol/identity.ts';
import type { Cancel } from '../../runtime/clock.ts';
import type { SurfacePlace } from '../../surfaces/surface.ts';
import type { DeliveryRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { showSign, showWorking, type TypingDeps } from './typing.ts';

/** How often a sign is repeated while the work goes on. Platforms let it fade. */
const EVERY_MS = 4_000;
/** A sign that nobody repeats ends after this. */
const FADES_MS = 10_000;

export interface WorkingSign {
  surface: string;
  place: SurfacePlace;
  agent: string;
  typing: boolean;
}

export interface Working {
  /** Shows that the agent works on a delivery until `end`, until the delivery has ended, or for `forMs` at most. */
  begin(delivery: Pick<DeliveryRow, 'key' | 'agent' | 'conversation'>, forMs: number): void;
  end(deliveryKey: string): void;
  /** A sign was shown, whoever asked for it. */
  shown: (sign: WorkingSign) => void;
  /** Another host of the store was told of a sign. */
  heard: (sign: WorkingSign) => void;
  /** Who is at work on a surface now. For sources that pull. */
  at(surface: string): { agent: string; place: SurfacePlace }[];
  stop(): void;
}

interface Work {
  agent: string;
  conversation: string;
  until: number;
  cancel: Cancel;
}

export function createWorking(context: HostContext, surface: TypingDeps['surface']): Working {
  const { clock, log, bus, store, changes } = context;
  const works = new Map<string, Work>();
  const signs = new Map<string, WorkingSign & { until: number }>();

  const show = (agent: string, conversation: string, on: boolean): void => {
    showWorking({ context, surface, shown }, agent, conversation, on).catch((error: unknown) =>
      log.warn({ err: error, agent }, 'a working sign could not be shown'),
    );
  };
  const shown = (sign: WorkingSign): void => {
    const key = JSON.stringify([sign.surface, sign.place, sign.agent]);
    if (sign.typing) signs.set(key, { ...sign, until: clock.now() + FADES_MS });
    else signs.delete(key);
  };
  const repeat = (key: string): void => {
    const work = works.get(key);
    if (work === undefined) return;
    if (clock.now() >= work.until) return end(key);
    show(work.agent, work.conversation, true);
    if (!changes.isAlone) endIfOver(key);
    work.cancel = clock.after(EVERY_MS, () => repeat(key));
  };
  const end = (key: string): void => {
    const work = works.get(key);
    if (work === undefined) return;
    works.delete(key);
    work.cancel();
    const { agent, conversation } = work;
    const goesOn = [...works.values()].some(
      (one) => one.agent === agent && one.conversation === conversation,
    );
    if (!goesOn) show(agent, conversation, false);
  };
  /** Another host may have settled it. */
  const endIfOver = (key: string): void => {
    store.get('delivery', key).then(
      (row) => row?.open === 1 || end(key),
      (error: unknown) => log.warn({ err: error }, 'whether an agent is still at work could not be read'),
    );
  };
  const unlisten = bus.listen((news) => {
    if (news.type === 'settled' || news.type === 'withdraw') end(news.delivery.key);
    // An answer is there, whatever becomes of the delivery.
    else if (news.type === 'outbox_done' && news.row.inReplyTo !== null)
      end(deliveryKey(news.row.inReplyTo, news.row.agent));
  });
  return {
    begin({ key, agent, conversation }, forMs) {
      const before = works.get(key);
      before?.cancel();
      works.set(key, { agent, conversation, until: clock.now() + forMs, cancel: () => undefined });
      repeat(key);
    },
    end,
    shown,
    heard(sign) {
      showSign({ context, surface, shown }, sign).catch((error: unknown) =>
        log.warn({ err: error, agent: sign.agent }, 'a working sign could not be shown'),
      );
    },
    at(id) {
      for (const [key, sign] of signs) if (sign.until <= clock.now()) signs.delete(key);
      return [...signs.values()].flatMap((sign) =>
        sign.surface === id ? [{ agent: sign.agent, place: sign.place }] : [],
      );
    },
    stop() {
      unlisten();
      for (const work of works.values()) work.cancel();
      works.clear();
    },
  };
}
