// How stored attention state is written and read: a run of numbers in base 36 that refers to keys and names by place.
// Only a full read or write makes sense; reader and writer take the same steps in the same order (state-codec.ts).

import type { CodeTable } from './state-codes.ts';

/** Keys joined by spaces, names, numbers joined by spaces. Keys never have a space in them (state.ts). */
export type Packed = [keys: string, names: string[], numbers: string];

/** Packer never writes these; the reader would stop at them and take the digits before for the number. */
const NO_NUMBERS = /[^0-9a-z -]|[^ ]-|-(?![0-9a-z])/;

/** The packed parts after the version. Throws for anything else. */
export function packedOf([, keys, names, numbers, ...more]: unknown[]): Packed {
  const isPacked =
    typeof keys === 'string' &&
    Array.isArray(names) &&
    names.every((name) => typeof name === 'string') &&
    typeof numbers === 'string' &&
    !NO_NUMBERS.test(numbers) &&
    more.length === 0;
  if (!isPacked) throw new Error('attention state has not the parts it should: its stored form is damaged');
  return [keys, names, numbers];
}

const SPACE = 32;
const MINUS = 45;
const ZERO = 48;
/** The code of 'a', less the digit it stands for. */
const LETTER = 87;

const ASCII = new TextDecoder();

/** Many times the longest run of numbers: every list of a state is bounded (STATE_LIMITS). Beyond it is an error. */
const RUN_BYTES = 1 << 16;
// One for all packers: a state is packed without waiting, and what was written is copied out at the end.
const run = new Uint8Array(RUN_BYTES);

/** Writes a number in base 36; the answer is where it ends. Whatever is no whole number is left to the language. */
function writeNumber(value: number, at: number): number {
  let end = at;
  if (!Number.isSafeInteger(value)) {
    for (const char of value.toString(36)) run[end++] = char.charCodeAt(0);
    return end;
  }
  if (value < 0) run[end++] = MINUS;
  let left = Math.abs(value);
  let unit = 1; // of the first digit
  while (unit * 36 <= left) unit *= 36;
  for (; unit >= 1; unit /= 36) {
    const digit = Math.floor(left / unit);
    run[end++] = digit + (digit < 10 ? ZERO : LETTER);
    left -= digit * unit;
  }
  return end;
}

/** Digits as bytes in one run: putting as many short strings together costs twice as much. */
export class Packer {
  readonly #places = new Map<string, number>();
  readonly #names: string[] = [];
  #keys = '';
  #end = 0;

  number(value: number): void {
    let end = this.#end;
    // Most numbers are places and small distances: one digit.
    if (value >= 0 && value < 36 && Number.isInteger(value))
      run[end++] = value + (value < 10 ? ZERO : LETTER);
    else end = writeNumber(value, end);
    run[end] = SPACE;
    this.#end = end + 1;
  }

  key(key: string): void {
    let place = key === '' ? 0 : this.#places.get(key);
    if (place === undefined) {
      place = this.#places.size + 1;
      this.#places.set(key, place);
      this.#keys += place === 1 ? key : ` ${key}`;
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

  packed(): Packed {
    if (this.#end > RUN_BYTES) {
      throw new Error(
        `attention state has more than ${RUN_BYTES} bytes of numbers: a list without a limit, please report it`,
      );
    }
    return [this.#keys, this.#names, ASCII.decode(run.subarray(0, this.#end - 1))];
  }
}

const DAMAGED = 'its stored form is damaged';

/** Reads what Packer wrote. Whatever is missing, left over or out of reach is an error: nothing is made up. */
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
    const digits = this.#numbers[this.#nextNumber++] ?? '';
    if (digits.length === 1) {
      const code = digits.charCodeAt(0); // a digit or a letter: packedOf has looked
      return code - (code < LETTER ? ZERO : LETTER);
    }
    const value = Number.parseInt(digits, 36);
    if (Number.isNaN(value)) throw new Error(`attention state ends too early: ${DAMAGED}`);
    return value;
  }

  /** A number that is never negative: a length, a place, a code. */
  count(): number {
    const value = this.number();
    if (value < 0) throw new Error(`attention state has a negative count: ${DAMAGED}`);
    return value;
  }

  flag(): boolean {
    const value = this.number();
    if (value !== 0 && value !== 1) throw new Error(`attention state has a flag of ${value}: ${DAMAGED}`);
    return value === 1;
  }

  /** Read in order. */
  numbers(count: 2): [number, number];
  numbers(count: 6): [number, number, number, number, number, number];
  numbers(count: number): number[] {
    return Array.from({ length: count }, () => this.number());
  }

  key(): string {
    const key = this.#keys[this.number()];
    if (key === undefined) throw new Error(`attention state lacks a key: ${DAMAGED}`);
    return key;
  }

  name(): string {
    const name = this.#names[this.#nextName++];
    if (name === undefined) throw new Error(`attention state lacks a name: ${DAMAGED}`);
    return name;
  }

  since(now: number): number {
    const ago = this.number();
    return ago === -1 ? 0 : now - ago;
  }

  list<T>(unpack: () => T): T[] {
    const items: T[] = [];
    for (let left = this.count(); left > 0; left--) items.push(unpack());
    return items;
  }

  /** Everything must have been read. */
  end(): void {
    if (this.#nextNumber === this.#numbers.length && this.#nextName === this.#names.length) return;
    throw new Error(`attention state goes on where it should end: ${DAMAGED}`);
  }
}

/** A word or none, and a flag, in one number. */
export function orNone<Id extends string>({ codes }: CodeTable<Id>, id: Id | null, flag: boolean): number {
  return (id === null ? 0 : codes[id] + 1) * 2 + (flag ? 1 : 0);
}

export function idOrNone<Id extends string>(table: CodeTable<Id>, bits: number): Id | null {
  return bits < 2 ? null : table.idOf(Math.floor(bits / 2) - 1);
}
