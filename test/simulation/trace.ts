// What happened in a run, in order, in a few words each. Two runs of one plan must give the same trace. The tail of it is
// printed with a failure.

/** The lines that are kept to be shown. */
const KEPT = 400;

export class Trace {
  readonly lines: string[] = [];
  readonly #now: () => number;
  #hash = 0x811c9dc5;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(what: string): void {
    const line = `${this.#now()} ${what.length > LINE_CHARS ? `${what.slice(0, LINE_CHARS)}… ${what.length}` : what}`;
    for (let i = 0; i < line.length; i++) this.#hash = Math.imul(this.#hash ^ line.charCodeAt(i), 0x01000193);
    this.#count++;
    this.lines.push(line);
    if (this.lines.length > KEPT * 2) this.lines.splice(0, KEPT);
  }

  /** Stands for everything that was noted. */
  get digest(): string {
    return `${this.#count}:${(this.#hash >>> 0).toString(16)}`;
  }
}

const LINE_CHARS = 240;
