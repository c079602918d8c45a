// One conversation on the agent's side: the compose fold, its timer, and the runs it asks for, one after another. One
// rule makes sure that people see one answer: a started run is always ended with the host before the next one begins.
// The host then says how much the run had sent, and that decides whether a restart goes ahead (compose/index.ts,
// "Protocol for the caller").
import {
  type ComposeInput,
  type ComposeOutput,
  type Injection,
  compose,
  initialCompose,
  wakeAt,
} from '../compose/index.ts';
import { claimedId, isFollowUpId } from '../protocol/derived-id.ts';
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
import type { Held } from './ledger.ts';
import { isTimeout, performTurn, type RunDeps, type AbortWhy, Run } from './run.ts';

/** What is carried over from a turn that did not run. What the host sends at once is shown whole. */
const SEEN_EVENTS = 20;

export class AgentConversation {
  readonly place: TurnConversation;
  readonly #key: string;
  readonly #shared: AgentDeps;
  #state = initialCompose();
  #cancelTick: Cancel | undefined;
  #run: Run | undefined;
  /** Calls to the host under way. The next step waits for them. */
  #tail: Promise<void> = Promise.resolve();
  #pending = 0;
  /** Deliveries that a full fold refused. They are offered again when the next turn begins. */
  #overflow: Held[] = [];
  readonly riders: Held[] = [];
  /** Silent knocks. The host has settled them already. */
  readonly news: TurnEvent[] = [];
  /** Context that an unfinished turn was given. The next turn gets it too. */
  #carried: SeenEvent[] = [];

  constructor(key: string, place: TurnConversation, shared: AgentDeps) {
    this.#key = key;
    this.place = place;
    this.#shared = shared;
  }

  /** True when nothing waits and nothing runs, so that it can be forgotten. */
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
    // If the claiming run has ended meanwhile, the body becomes a turn of its own.
    const run = this.#run?.aborted === true || this.#run?.over === true ? undefined : this.#run;
    const claim = run?.claiming.get(root);
    if (claim !== undefined) {
      run?.claiming.delete(root);
      claim(held);
      return;
    }
    const knock = routeOf(event) === 'knock';
    this.#fold({
      type: 'fragment',
      eventId: held.fragmentId,
      author: authorKey(event.author),
      at: this.#shared.clock.now(),
      ...(event.createdAt === undefined ? {} : { saidAt: event.createdAt }),
      ...(event.goesOnMs === undefined ? {} : { goesOnMs: event.goesOnMs }),
      chars: event.text.length,
      // A knock is never merged with anything and does not wait for the compose window.
      addressee: knock ? `knock ${held.fragmentId}` : event.directedness,
      mode: knock || event.mode === 'immediate' ? 'immediate' : 'buffered',
      ...(event.refersTo === undefined || standsForItself(event) ? {} : { refersTo: event.refersTo }),
    });
    if (event.mode === 'immediate') this.#makeWay(held);
  }

  /** A follow-up delivery replaces the first one, with the same words or with other words. */
  replace(held: Held, event: TurnEvent): void {
    const { clock, ledger } = this.#shared;
    const { text: before } = held.event;
    ledger.replace(held, event);
    const { text } = event;
    // The fold knows only the offer of a claimed event: its turn goes on.
    if (text !== before && this.#run?.body !== held) {
      // The running turn has already taken in the old words.
      if (this.#run?.nested.some((nested) => nested.held.includes(held)) === true) return this.#ownTurn(held);
      this.#fold({ type: 'edit', eventId: held.fragmentId, text, chars: text.length, at: clock.now() });
      return;
    }
    // The words are the same: the turn goes on, and the host learns that it is about this delivery now.
    const run = this.#run;
    if (run?.started === true && !run.over) renew(this.#deps(run), held);
  }

  /** Withdraws a delivery: deleted, edited away, claimed by another agent, or passed on. */
  strike(held: Held): void {
    // Its turn is over and only the host does not know yet. In the fold there is nothing left of it.
    if (held.ending) return;
    if (this.#shared.asks.strike(held)) return this.#shared.ledger.release(held);
    const rider = this.riders.indexOf(held);
    if (rider >= 0) this.riders.splice(rider, 1);
    this.#overflow = this.#overflow.filter((other) => other !== held);
    if (this.#run?.body === held && this.holds(held)) {
      if (this.#run.acts === 0) this.halt('withdrawn');
      return;
    }
    this.#fold({ type: 'delete', eventId: held.fragmentId, at: this.#shared.clock.now() });
    if (this.#run?.all.includes(held) !== true) this.#shared.ledger.release(held);
  }

  typing(author: TurnEvent['author'], typing: boolean): void {
    this.#fold({ type: 'typing', author: authorKey(author), typing, at: this.#shared.clock.now() });
  }

  /** Ends the running turn for good, for instance because a person said stop. */
  halt(why: AbortWhy): void {
    const run = this.#run;
    if (run === undefined || run.over || run.aborted) return;
    run.abort(why);
    for (const held of run.all) held.ending = true;
    this.#then(async () => {
      await this.#fence(run);
      for (const held of run.all) this.#shared.ledger.release(held);
    });
    this.#fold({ type: 'turn_ended', turn: run.number, at: this.#shared.clock.now() });
  }

  /** The session ends. Waiting deliveries go to the next session; the running turn is halted. */
  stop(why: AbortWhy): void {
    for (const held of this.#shared.ledger.of(this.#key)) if (!this.holds(held)) this.strike(held);
    this.halt(why);
  }

  /** Whether the running turn has taken in this delivery. */
  holds(held: Held): boolean {
    return this.#run?.over === false && this.#run.all.includes(held);
  }

  /** Whether the turn with this id runs in this conversation. */
  runs(turnId: string): boolean {
    return this.#run !== undefined && !this.#run.over && this.#run.id === turnId;
  }

  /** Resolves when all calls to the host have ended. */
  drained(): Promise<void> {
    return this.#tail;
  }

  #fold(input: ComposeInput): void {
    const { state, outputs } = compose(this.#state, input, this.#shared.compose);
    this.#state = state;
    for (const output of outputs) this.#on(output);
    // Whatever did not join the running turn waits for it.
    if (this.#state.windows.length > 0) this.#run?.hurry();
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

  /** The cancelled turn may have answered after all. In that case the new turn is only about what came later. */
  async #concede(old: Run | undefined, number: number): Promise<void> {
    const sends = old === undefined ? 0 : await this.#fence(old);
    if (old === undefined || sends === 0) return;
    const names = new Map(old.held.map((held) => [held, held.fragmentId]));
    this.#fold({ type: 'sent', turn: number, at: this.#shared.clock.now() });
    // A delivery that was edited meanwhile has a new fragment id and gets its own turn.
    for (const [held, name] of names) if (held.fragmentId === name) this.#shared.ledger.release(held);
  }

  #cancel(number: number): void {
    const run = this.#run;
    if (run === undefined || run.number !== number || run.over) return;
    run.abort('withdrawn');
    this.#then(() => this.#fence(run));
  }

  /** Lets an urgent delivery in: at once, or at the turn's next boundary. Waiting for an answer is a boundary. */
  #makeWay(held: Held): void {
    const { interrupts, asks } = this.#shared;
    if (interrupts === 'anytime') this.#interrupt(held);
    else if (interrupts === 'tool_boundary' && this.#run !== undefined) asks.end(this.#run, 'interrupted');
  }

  /** Aborts the running turn for an urgent delivery. It runs again afterwards if it had not acted. */
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

  /** The edit came after the answer, so it becomes an event of its own under its own id. */
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
    if (ending === undefined || (run.aborted && !isTimeout(run))) return; // whoever aborted it ends it with the host
    run.over = true;
    for (const held of run.all) held.ending = true;
    // The fold learns it first, so that no new fragment is merged into the finished turn.
    this.#fold({ type: 'turn_ended', turn: run.number, at: this.#shared.clock.now() });
    // A failed turn is forgotten, so that the host can deliver its events again.
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
        this.#carried = this.#carried.slice(-Math.max(SEEN_EVENTS, seen.length));
        return this.#carried;
      },
      interrupt: () => this.#takeUrgent(run),
    };
  }

  async #fence(run: Run): Promise<number> {
    const sends = await fence(this.#deps(run));
    // A delivery that was taken in at a boundary and not answered waits for its own turn again.
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
      // Leaves the fold without being released: the running turn holds it now.
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

/** A follow-up, and the body of a claimed event, are the words of their event. What its author says next may join them. */
function standsForItself({ eventId, refersTo = '' }: TurnEvent): boolean {
  return isFollowUpId(eventId) || eventId === claimedId(refersTo);
}
