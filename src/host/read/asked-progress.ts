// Progress is a notification, and enters a turn only when somebody asks how far things are: then the newest report of
// each piece of work in the conversation comes along as context. Which words ask is plain data, per language.
import { foldText, holdsStatusWord } from '../../attention/index.ts';
import { displayName } from '../../protocol/display-name.ts';
import type { ChatEventOf } from '../../protocol/chat-event.ts';
import { instantMs } from '../../protocol/log-record.ts';
import type { SeenWireEvent } from '../../protocol/methods.ts';
import type { DeliveryRow, LogRow } from '../../store/tables.ts';
import type { HostContext } from '../kernel/context.ts';
import { decisionOf } from '../delivery/delivery-row.ts';
import { textOf } from './payload.ts';

/** Reports that come along, the newest ones. */
export const REPORTS_MAX = 5;

const MAY_ASK: ReadonlySet<string> = new Set(['question', 'request', 'urgent']);

/** Whether one of what the turn takes in asks how far things are. */
export async function asksForStatus({ store }: HostContext, taken: readonly DeliveryRow[]): Promise<boolean> {
  for (const delivery of taken) {
    const row = await store.get('log', delivery.source);
    if (
      row !== undefined &&
      MAY_ASK.has(decisionOf(delivery).intent) &&
      holdsStatusWord(foldText(textOf(row)))
    )
      return true;
  }
  return false;
}

/** The newest of each piece of work, oldest first. Never our own: the agent knows those. */
export class Reports {
  readonly #agent: string;
  readonly #newest = new Map<string, LogRow>();

  constructor(agent: string) {
    this.#agent = agent;
  }

  /** Rows come newest first. */
  add(row: LogRow): void {
    const { event } = row.record;
    if (event.type !== 'progress' || event.author.id === this.#agent) return;
    const work = `${event.author.id} ${event.progressToken ?? ''}`;
    if (!this.#newest.has(work) && !this.full) this.#newest.set(work, row);
  }

  get full(): boolean {
    return this.#newest.size >= REPORTS_MAX;
  }

  shown(): SeenWireEvent[] {
    return [...this.#newest.values()].toReversed().map((row) => {
      const event = row.record.event as ChatEventOf<'progress'>;
      const name = displayName(event.author.displayName ?? '');
      return {
        eventId: row.key,
        author: {
          id: event.author.id,
          kind: event.author.kind,
          ...(name === '' ? {} : { displayName: name }),
        },
        createdAt: new Date(instantMs(event.at)).toISOString(),
        content: [{ type: 'text', text: wordsOf(event, textOf(row)) }],
      };
    });
  }
}

function wordsOf({ progress, total }: ChatEventOf<'progress'>, text: string): string {
  const far = progress === undefined ? '' : ` ${progress}${total === undefined ? '' : ` of ${total}`}`;
  return `progress${far}${text === '' ? '' : `: ${text}`}`;
}
