// One conversation on this side: the compose fold, the clock that ticks it, and the runs it asks for, one after another.
// The rule that makes one visible answer: a run that was started is always ended with the host before the next begins,
// and what the host says of its sends decides whether a restart stands (compose/index.ts, "Protocol for the caller").
import {
  type ComposeInput,
  type ComposeOutput,
  type Injection,
  compose,
  initialCompose,
  wakeAt,
} from '../compose/index.ts';
import type { Cancel } from '../runtime/clock.ts';
import type { AgentDeps } from './agent-deps.ts';
import {
  authorKey,
  rootId,
  type SeenEvent,
  type TurnConversation,
  type TurnEvent,
  routeOf,
} from './event.ts';
import { endRun, fence, isActedOn, renew, startNested } from './host-turn.ts';
import { type Held, isFollowUp } from './ledger.ts';
import { isTimeout, performTurn, type RunDeps, type AbortWhy, Run } from './run.ts';

/** As many as the host gives at once. */
const SEEN_EVENTS = 20;

export class AgentConversation {
  readonly place: TurnConversation;
  readonly #key: string;
  readonly #shared: AgentDeps;
  #state = initialCompose();
  #cancelTick: Cancel | undefined;
  #run: Run | undefined;
  /** What is under way with the host; whatever comes next waits for it. */
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;
  /** Refused by a full fold; offered again when a turn is over. */
  #overflow: Held[] = [];
  readonly riders: Held[] = [];
  /** Silent knocks: the host has settled them. */
  readonly news: TurnEvent[] = [];
  /** Seen by a turn that did not come to its end: the next one gets it. */
  #carried: SeenEvent[] = [];

  constructor(key: string, place: TurnConversation, shared: AgentDeps) {
    this.#key = key;
    this.place = place;
    this.#shared = shared;
  }

  /** Nothing waits, nothing runs: it can be forgotten. */
  get idle(): boolean {
    return (
      this.#pending === 0 &&
      this.#state.turn === null &&
      this.#state.windows.length === 0 &&
      this.riders.length + this.news.length + this.#carried.length + this.#overflow.length === 0
    );
  }

  offer(held: Held): void {
    const { event } = held;
    const root = rootId(event);
    // A run that was cancelled meanwhile has no use for it: then it is a turn of its own.
    const claim = this.#run?.aborted === true ? undefined : this.#run?.claiming.get(root);
    if (claim !== undefined) {
      this.#run?.claiming.delete(root);
      claim(held);
      return;
    }
    const knock = routeOf(event) === 'knock';
    this.#fold({
      type: 'fragment',
      eventId: held.fragmentId,
      author: authorKey(event.author),
      at: this.#shared.clock.now(),
      chars: event.text.length,
      // A knock is never merged with anything, and has no window to wait out.
      addressee: knock ? `knock ${held.fragmentId}` : event.directedness,
      mode: knock || event.mode === 'immediate' ? 'immediate' : 'buffered',
      ...(event.refersTo === undefined || isFollowUp(event.eventId) ? {} : { refersTo: event.refersTo }),
    });
    if (event.mode === 'immediate') this.#makeWay(held);
  }

  /** Another delivery has taken the place of the first: the same words handed again, or other words. */
  replace(held: Held, event: TurnEvent): void {
    const { clock, ledger } = this.#shared;
    const { text: before } = held.event;
    ledger.replace(held, event);
    const { text } = event;
    if (text !== before) {
      // Already taken in by the running turn, with the words it had then.
      if (this.#run?.nested.some((nested) => nested.held.includes(held)) === true) return this.#ownTurn(held);
      this.#fold({ type: 'edit', eventId: held.fragmentId, text, chars: text.length, at: clock.now() });
      return;
    }
    // Only late: the turn goes on, and the host is told that it is about this one now.
    const run = this.#run;
    if (run?.started === true && !run.over && run.held.includes(held)) void renew(this.#deps(run), held);
  }

  /** Withdrawn: deleted, edited away, claimed by another, passed on. */
  strike(held: Held): void {
    if (this.#shared.asks.strike(held)) return this.#shared.ledger.release(held);
    const rider = this.riders.indexOf(held);
    if (rider >= 0) this.riders.splice(rider, 1);
    this.#overflow = this.#overflow.filter((other) => other !== held);
    this.#fold({ type: 'delete', eventId: held.fragmentId, at: this.#shared.clock.now() });
    if (this.#run?.all.includes(held) !== true) this.#shared.ledger.release(held);
  }

  typing(author: TurnEvent['author'], typing: boolean): void {
    this.#fold({ type: 'typing', author: authorKey(author), typing, at: this.#shared.clock.now() });
  }

  /** A person said stop: whatever runs ends, and is not run again. */
  halt(why: AbortWhy): void {
    const run = this.#run;
    if (run === undefined || run.over || run.aborted) return;
    run.abort(why);
    this.#fold({ type: 'turn_ended', turn: run.number, at: this.#shared.clock.now() });
    this.#then(async () => {
      await this.#fence(run);
      for (const held of run.all) this.#shared.ledger.release(held);
    });
  }

  /** The session ends: what waits goes to the next one, what runs is halted. */
  stop(why: AbortWhy): void {
    for (const held of this.#shared.ledger.of(this.#key)) if (!this.holds(held)) this.strike(held);
    this.halt(why);
  }

  /** Whether the running turn has taken this in. */
  holds(held: Held): boolean {
    return this.#run?.over === false && this.#run.all.includes(held);
  }

  /** Whether this turn of ours runs here. */
  runs(turnId: string): boolean {
    return this.#run !== undefined && !this.#run.over && this.#run.id === turnId;
  }

  /** Resolves when what is under way has ended. */
  drained(): Promise<void> {
    return this.#tail;
  }

  #fold(input: ComposeInput): void {
    const { state, outputs } = compose(this.#state, input, this.#shared.compose);
    this.#state = state;
    for (const output of outputs) this.#on(output);
    this.#schedule();
  }

  #schedule(): void {
    this.#cancelTick?.();
    this.#cancelTick = undefined;
    const at = wakeAt(this.#state, this.#shared.compose);
    if (at === null) return;
    const { clock } = this.#shared;
    this.#cancelTick = clock.after(Math.max(0, at - clock.now()), () =>
      this.#fold({ type: 'tick', at: clock.now() }),
    );
  }

  #on(output: ComposeOutput): void {
    const { ledger } = this.#shared;
    switch (output.type) {
      case 'inject':
        this.#begin(output);
        break;
      case 'cancel_and_restart':
        this.#restart(output);
        break;
      case 'cancel':
        this.#cancel(output.turn);
        break;
      case 'supersede':
        for (const id of output.eventIds) this.#gone(ledger.find(id));
        break;
      case 'late_edit':
        for (const id of output.eventIds) this.#ownTurn(ledger.find(id));
        break;
      case 'refused':
        this.#overflow.push(...output.eventIds.flatMap((id) => ledger.find(id) ?? []));
        break;
    }
  }

  #begin(injection: Injection): void {
    const { ledger, random } = this.#shared;
    const held = injection.eventIds.flatMap((id) => ledger.find(id) ?? []);
    const run = new Run(`turn_${random.id()}`, injection.turn, held);
    this.#run = run;
    this.#then(() => this.#perform(run));
    const waiting = this.#overflow;
    this.#overflow = [];
    for (const overflown of waiting) this.offer(overflown);
  }

  #restart(injection: Injection & { cancels: number }): void {
    const old = this.#run;
    old?.abort('restarted');
    this.#then(() => this.#concede(old, injection.cancels));
    this.#begin(injection);
  }

  /** The restarted turn may have answered after all: then only what came later is a turn of its own. */
  async #concede(old: Run | undefined, number: number): Promise<void> {
    const sends = old === undefined ? 0 : await this.#fence(old);
    if (old === undefined || sends === 0) return;
    const names = new Map(old.held.map((held) => [held, held.fragmentId]));
    this.#fold({ type: 'sent', turn: number, at: this.#shared.clock.now() });
    // What was edited meanwhile has a name of its own now, and a turn to come.
    for (const [held, name] of names) if (held.fragmentId === name) this.#shared.ledger.release(held);
  }

  #cancel(number: number): void {
    const run = this.#run;
    if (run === undefined || run.number !== number || run.over) return;
    run.abort('withdrawn');
    this.#then(() => this.#fence(run));
  }

  /** Urgent: at once, or where the turn has its next boundary; one that waits for an answer is at one. */
  #makeWay(held: Held): void {
    const { interrupts, asks } = this.#shared;
    if (interrupts === 'anytime') this.#interrupt(held);
    else if (interrupts === 'tool_boundary' && this.#run !== undefined) asks.end(this.#run, 'interrupted');
  }

  /** Urgent, and not merged: the running turn makes way, and is run again after it if it had said nothing. */
  #interrupt(held: Held): void {
    const run = this.#run;
    if (run === undefined || run.over || run.aborted || !run.started || run.held.includes(held)) return;
    run.abort('interrupted');
    this.#then(async () => {
      const sends = await this.#fence(run);
      this.#fold({ type: 'turn_ended', turn: run.number, at: this.#shared.clock.now() });
      for (const taken of run.held) {
        if (sends === 0 && run.acts === 0) this.offer(taken);
        else this.#shared.ledger.release(taken);
      }
    });
  }

  /** The edit came after the answer: an event of its own, under its own id. */
  #ownTurn(held: Held | undefined): void {
    if (held === undefined || held.fragmentId === held.event.eventId) return;
    this.#shared.ledger.rename(held);
    const run = this.#run;
    if (run !== undefined) {
      run.held = run.held.filter((other) => other !== held);
      for (const nested of run.nested) nested.held = nested.held.filter((other) => other !== held);
    }
    this.offer(held);
  }

  #gone(held: Held | undefined): void {
    if (held === undefined) return;
    if (this.#run !== undefined) this.#run.held = this.#run.held.filter((other) => other !== held);
    this.#shared.ledger.release(held);
  }

  #then(step: () => Promise<unknown>): void {
    this.#pending += 1;
    this.#tail = this.#tail
      .then(step)
      .catch((error: unknown) => this.#shared.log.error({ err: error }, 'a turn could not be carried out'))
      .then(() => {
        this.#pending -= 1;
      });
  }

  async #perform(run: Run): Promise<void> {
    if (run.aborted) return;
    const deps = this.#deps(run);
    const ending = await performTurn(deps);
    if (ending === undefined || (run.aborted && !isTimeout(run))) return; // whoever aborted it ends it
    run.over = true;
    for (const held of run.all) held.ending = true;
    // First for the fold, so that a fragment that comes now is not merged into what is over.
    this.#fold({ type: 'turn_ended', turn: run.number, at: this.#shared.clock.now() });
    // A failed turn leaves no trace: whatever the host hands over again is taken.
    if (ending === 'failed') for (const held of run.all) this.#shared.ledger.forget(held);
    const more = await endRun(deps, ending);
    if (ending === 'failed') return;
    this.#carried = more;
    for (const held of run.all) this.#shared.ledger.release(held);
  }

  #deps(run: Run): RunDeps {
    return {
      shared: this.#shared,
      run,
      riders: this.riders,
      news: this.news,
      began: () => this.#fold({ type: 'turn_started', turn: run.number, at: this.#shared.clock.now() }),
      acted: () => {
        run.acts += 1;
        this.#fold({ type: 'sent', turn: run.number, at: this.#shared.clock.now() });
      },
      seen: (seen) => {
        const known = new Set(seen.map(({ eventId }) => eventId));
        this.#carried = [...this.#carried.filter(({ eventId }) => !known.has(eventId)), ...seen];
        this.#carried = this.#carried.slice(-SEEN_EVENTS);
        return this.#carried;
      },
      interrupt: () => this.#takeUrgent(run),
    };
  }

  async #fence(run: Run): Promise<number> {
    const sends = await fence(this.#deps(run));
    // What was taken in at a boundary and not answered waits for a turn of its own again.
    for (const nested of run.nested) {
      const done = isActedOn(run, nested);
      for (const held of nested.held) {
        if (done) this.#shared.ledger.release(held);
        else nested.back(held);
      }
    }
    return sends;
  }

  async #takeUrgent(run: Run): ReturnType<RunDeps['interrupt']> {
    const waiting = this.#shared.ledger
      .of(this.#key)
      .filter((held) => held.event.mode === 'immediate' && !run.all.includes(held));
    if (waiting.length === 0) return undefined;
    for (const held of waiting) {
      const at = this.#shared.clock.now();
      // Out of the fold, but not released: the running turn has it now.
      this.#state = compose(
        this.#state,
        { type: 'delete', eventId: held.fragmentId, at },
        this.#shared.compose,
      ).state;
    }
    this.#schedule();
    return startNested(this.#deps(run), waiting, { answer: false, back: (held) => this.offer(held) });
  }
}
