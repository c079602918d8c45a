// How stored attention state is written and read: a run of numbers in base 36 that refers to keys and names by place.
// Only a full read or write makes sense; reader and writer take the same steps in the same order (state-codec.ts).

/** Keys joined by spaces, names, numbers joined by spaces. Keys never have a space in them (keys.ts). */
export type Packed = [keys: string, names: string[], numbers: string];

/** Most numbers are places and small distances: written out once. */
const SMALL: readonly string[] = Array.from({ length: 1_296 }, (_, value) => value.toString(36));

export class Packer {
  readonly #keys = new Map<string, number>([['', 0]]);
  readonly #names: string[] = [];
  #numbers = '';

  number(value: number): void {
    const digits = value >= 0 && value < SMALL.length ? SMALL[value] : undefined;
    this.#numbers += ` ${digits ?? value.toString(36)}`;
  }

  key(key: string): void {
    let place = this.#keys.get(key);
    if (place === undefined) {
      place = this.#keys.size;
      this.#keys.set(key, place);
    }
    this.number(place);
  }

  name(name: string): void {
    this.#names.push(name);
  }

  /** A count or a time that never was is 0: kept apart from one that is now. */
  since(now: number, then: number): void {
    this.number(then === 0 ? -1 : now - then);
  }

  list<T>(items: readonly T[], pack: (item: T) => void): void {
    this.number(items.length);
    for (const item of items) pack(item);
  }

  packed(): Packed {
    return [[...this.#keys.keys()].slice(1).join(' '), this.#names, this.#numbers.slice(1)];
  }
}

export class Unpacker {
  readonly #keys: readonly string[];
  readonly #names: readonly string[];
  readonly #numbers: readonly string[];
  #nextName = 0;
  #nextNumber = 0;

  constructor([keys, names, numbers]: Packed) {
    this.#keys = ['', ...keys.split(' ')];
    this.#names = names;
    this.#numbers = numbers.split(' ');
  }

  number(): number {
    const value = Number.parseInt(this.#numbers[this.#nextNumber++] ?? '', 36);
    if (Number.isNaN(value)) throw new Error('attention state ends too early: its stored form is damaged');
    return value;
  }

  /** Read in order. */
  numbers(count: 2): [number, number];
  numbers(count: 4): [number, number, number, number];
  numbers(count: 6): [number, number, number, number, number, number];
  numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.number());
  }

  key(): string {
    return this.#keys[this.number()] ?? '';
  }

  name(): string {
    return this.#names[this.#nextName++] ?? '';
  }

  since(now: number): number {
    const ago = this.number();
    return ago === -1 ? 0 : now - ago;
  }

  list<T>(unpack: () => T): T[] {
    const items: T[] = [];
    for (let left = this.number(); left > 0; left--) items.push(unpack());
    return items;
  }
}
