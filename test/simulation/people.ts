// What people do, handed to the host as a platform would: at least once, again after a refusal for now or a lost answer,
// sometimes twice or late. A step that refers to a step which was left out of the plan is left out too.
import type { Host } from '../../src/host/host.ts';
import { approve, decline } from '../../src/host/operator/approvals.ts';
import type { IngestResult } from '../../src/surfaces/surface.ts';
import type { Plan, Room, Said, Step } from './plan.ts';
import { ROLE } from './plan.ts';
import type { SimWorld } from './world.ts';

const RETRY_MS = 700;
const LATE_MS = 4_000;
/** An answer that has not come by then is taken for lost. */
const ANSWER_MS = 15_000;

export class People {
  readonly #world: SimWorld;
  readonly #plan: Plan;
  readonly #said = new Map<number, Said>();
  /** Events that no host has taken yet. */
  waiting = 0;

  constructor(world: SimWorld) {
    this.#world = world;
    this.#plan = world.plan;
    for (const step of world.plan.steps) if (step.type === 'say') this.#said.set(step.id, step);
  }

  do(step: Step): void {
    if (step.type === 'decide') void this.#decide(step.agrees);
    else this.#tell(step);
  }

  say(event: Record<string, unknown>, room: Room): void {
    const { plan } = this.#world;
    const at = this.#world.sinceStart();
    const faults = plan.faults.filter(
      (fault) => fault.type === 'webhooks' && fault.from <= at && at < fault.until,
    );
    const late = faults.some((fault) => fault.type === 'webhooks' && fault.fault === 'late');
    const times = faults.some((fault) => fault.type === 'webhooks' && fault.fault === 'double') ? 2 : 1;
    for (let time = 0; time < times; time++) {
      const delay = late ? Math.floor(this.#world.draw('late', String(event['eventId']), time) * LATE_MS) : 0;
      this.waiting++;
      if (delay === 0) void this.#handOver(event, room.platform);
      else this.#world.clock.after(delay, () => void this.#handOver(event, room.platform));
    }
  }

  eventOf(step: Said, text = textOf(step)): Record<string, unknown> {
    const { replyTo } = step;
    return {
      ...this.#base(step, `s${step.id}`, step.by),
      type: 'message',
      text,
      ...(replyTo !== undefined && this.#said.has(replyTo) && { replyTo: { eventId: `s${replyTo}` } }),
      ...(step.file === true && { attachments: [attached(step.id)] }),
      ...(step.owed === true &&
        step.calls !== undefined && {
          recipients: [`agent:${step.calls}`],
          obligation: { blocks: 'halted', defaultAction: 'Nothing is done.' },
        }),
    };
  }

  roomOf(step: Said): Room {
    const room = this.#plan.cast.rooms.find(({ id }) => id === step.room);
    if (room === undefined) throw new Error(`no room ${step.room}`);
    return room;
  }

  #base(step: Said, eventId: string, by: string): Record<string, unknown> {
    const room = this.roomOf(step);
    const root = step.thread === undefined ? undefined : this.#said.get(step.thread);
    return {
      eventId,
      at: this.#world.clock.now(),
      platform: room.platform,
      workspaceId: 'w',
      conversation:
        root === undefined
          ? { id: room.id, kind: room.kind }
          : { id: `t${step.thread}`, kind: 'thread', parentId: room.id },
      author: { id: by, kind: 'human', displayName: by },
    };
  }

  #tell(step: Exclude<Step, { type: 'decide' }>): void {
    if (step.type === 'say') return this.say(this.eventOf(step), this.roomOf(step));
    if (step.type === 'typing') {
      const place = { ...step, type: 'say', asks: false } as const;
      const event = { ...this.#base(place, `s${step.id}`, step.by), type: 'typing', typing: true };
      return this.say(event, this.roomOf(place));
    }
    const target = this.#said.get(step.of);
    if (target === undefined) return;
    const about = { targetEventId: `s${target.id}` };
    const by = step.type === 'react' ? step.by : target.by;
    const base = { ...this.#base(target, `s${step.id}`, by), ...about };
    const room = this.roomOf(target);
    if (step.type === 'edit')
      this.say({ ...base, type: 'edit', text: `${textOf(target)} (w${step.id})` }, room);
    else if (step.type === 'delete') this.say({ ...base, type: 'delete' }, room);
    else this.say({ ...base, type: 'reaction', signal: step.signal }, room);
  }

  /** Until it is stored, or refused for good. */
  async #handOver(event: Record<string, unknown>, surface: string): Promise<void> {
    const { clock, seen } = this.#world;
    for (;;) {
      const host = this.#world.host;
      const results = host === undefined ? undefined : await this.#within(host, [event], surface);
      const result = results?.[0];
      if (result !== undefined && result.status !== 'refused') {
        this.#acked(String(event['eventId']), result, surface);
        break;
      }
      if (result !== undefined && result.error.code !== 'unavailable') {
        seen.refused.push(`${String(event['eventId'])}: ${result.error.code} ${result.error.message}`);
        if (result.error.code === 'internal')
          seen.problem(`an event was refused as internal: ${result.error.message}`);
        break;
      }
      const { retryAfterMs = RETRY_MS } = result?.error ?? {};
      await new Promise<void>((resolve) => clock.after(Math.min(retryAfterMs, 5_000), resolve));
    }
    this.waiting--;
  }

  /** Undefined when the host died before it answered, or did not answer in time. */
  #within(host: Host, events: unknown[], surface: string): Promise<IngestResult[] | undefined> {
    return new Promise((resolve) => {
      const cancel = this.#world.clock.after(ANSWER_MS, () => resolve(undefined));
      const end = (results: IngestResult[] | undefined): void => {
        cancel();
        resolve(this.#world.host === host ? results : undefined);
      };
      host.ingest(events, surface).then(end, (error: unknown) => {
        if (this.#world.host === host) this.#world.seen.problem(`ingest threw: ${String(error)}`);
        end(undefined);
      });
    });
  }

  #acked(id: string, result: Exclude<IngestResult, { status: 'refused' }>, surface: string): void {
    const { seen, trace } = this.#world;
    const known = seen.acked.get(id);
    trace.note(`acked ${id} ${result.seq} ${result.status}`);
    if (known === undefined) seen.acked.set(id, { eventId: result.eventId, seq: result.seq, surface });
    else if (known.seq !== result.seq || known.eventId !== result.eventId)
      seen.problem(
        `${id} was acknowledged as ${known.eventId}/${known.seq} and as ${result.eventId}/${result.seq}`,
      );
  }

  /** Decides on the oldest send that waits for agreement. Two people may decide at once: the second is told. */
  async #decide(agrees: boolean): Promise<void> {
    const { host } = this.#world;
    if (host === undefined) return;
    try {
      const open = await host.context.store.scan('inbox', 'byOpen', { eq: [1], limit: 50 });
      const item = open.find(({ kind }) => kind === 'approval');
      if (item === undefined) return;
      if (agrees) await approve(host.context, item.key, 'ada');
      else await decline({ context: host.context, committer: host.committer }, item.key, 'ada', 'not now');
    } catch (error) {
      this.#world.trace.note(`decision failed: ${String(error)}`);
    }
  }
}

/**
 * Every message has a word of its own, `w7`. An answer repeats the words that it is about. A debt comes back until its
 * author closes it, and may be answered each time: its word is `v7`.
 */
export function textOf({ id, calls, asks, chars, owed, secret }: Said): string {
  const word = `${owed === true ? 'v' : 'w'}${id}`;
  const call = calls === undefined ? '' : calls.startsWith('@') ? `@${ROLE} ` : `@${calls} `;
  const words = asks ? `could you look at ${word}?` : `${word} is out now.`;
  const more = secret === true ? ` The password is ${SECRET}.` : '';
  const said = `${call}${words}${more}`;
  return chars === undefined ? said : `${said} ${'lorem ipsum '.repeat(chars / 12)}`;
}

/** What no agent may ever read. */
export const SECRET = 'xK9mQ2vL7pRt4Wz8';

/** The text of a file says whose it is. */
export const fileText = (id: string): string => `notes of ${id}`;

function attached(step: number) {
  const id = `f${step}`;
  return { id, kind: 'file', name: 'notes.txt', bytes: fileText(id).length, contentType: 'text/plain' };
}

export const wordsIn = (text: string): string[] => text.match(/\b[wq]\d+\b/g) ?? [];
