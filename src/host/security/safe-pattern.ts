// Regular expressions from the configuration, tamed before they run on text from outside: JavaScript cannot interrupt
// one. The pattern is read and the ways it can try from one place are counted: a sequence multiplies, alternatives
// add. Repetition of what itself repeats or chooses is refused; `*` and `+` are cut to a reach. So a search costs at
// most WAYS × text: 25 ms for 4 KB and the worst pattern that is let through, well under 1 ms for a usual one.

export const PATTERN_LIMITS = {
  chars: 200,
  /** How far `*`, `+` and `{n,}` go. Two of them fit. */
  reach: 32,
  /** Ways to try from one position. */
  ways: 1_100,
  repeats: 1_000,
} as const;

export type SafePattern = { ok: true; regexp: RegExp } | { ok: false; problem: string };

/** Compiled with flags `iu`. The problem says what to write instead. */
export function safePattern(source: string): SafePattern {
  if (source.length > PATTERN_LIMITS.chars) {
    return no(`longer than ${PATTERN_LIMITS.chars} characters: split it into several rules`);
  }
  try {
    // The engine judges the syntax first: what follows reads only what is well-formed.
    const { text, ways } = new Reader(new RegExp(source, 'u').source).all();
    if (ways > PATTERN_LIMITS.ways) {
      return no('too many ways to match: use fewer of *, + and |, or split it into several rules');
    }
    return { ok: true, regexp: new RegExp(text, 'iu') };
  } catch (error) {
    if (error instanceof Refused || error instanceof SyntaxError) return no(error.message);
    throw error;
  }
}

function no(problem: string): SafePattern {
  return { ok: false, problem };
}

class Refused extends Error {}

/** A piece of the pattern, rewritten, and in how many ways it can match. */
interface Piece {
  text: string;
  ways: number;
}

class Reader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  all(): Piece {
    const sum = this.#sequence();
    while (this.#eat('|')) {
      const { text, ways } = this.#sequence();
      sum.text += `|${text}`;
      sum.ways += ways;
    }
    return sum;
  }

  #sequence(): Piece {
    const product: Piece = { text: '', ways: 1 };
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) {
      const { text, ways } = this.#repeated(this.#atom());
      product.text += text;
      product.ways *= ways;
    }
    return product;
  }

  #atom(): Piece {
    const rest = this.#source.slice(this.#at);
    if (/^\\(?:[1-9]|k)/.test(rest)) throw new Refused('\\1 and \\k refer back: write the words out instead');
    if (/^\(\?(?!:)/.test(rest)) {
      throw new Refused('(?…) looks around or names a group: use a plain ( ) or (?: )');
    }
    if (rest.startsWith('(')) return this.#group();
    const [text = ''] =
      /^\\[pPu]\{[^}]*\}|^\\[^]|^\[(?:\\[^]|[^\]\\])*\]|^[\ud800-\udbff][\udc00-\udfff]|^[^]/.exec(rest) ??
      [];
    this.#at += text.length;
    return { text, ways: 1 };
  }

  #group(): Piece {
    if (!this.#eat('(?:')) this.#eat('(');
    const { text, ways } = this.all();
    this.#eat(')');
    return { text: `(?:${text})`, ways };
  }

  #repeated({ text, ways }: Piece): Piece {
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/.exec(this.#source.slice(this.#at));
    if (match === null) return { text, ways };
    this.#at += match[0].length;
    const [, sign, from, comma, to, lazy = ''] = match;
    if (sign === '?') return { text: `${text}?${lazy}`, ways: ways + 1 };
    const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const most = to ? Number(to) : comma === '' ? least : least + PATTERN_LIMITS.reach;
    if (most > PATTERN_LIMITS.repeats)
      throw new Refused(`a repetition over ${PATTERN_LIMITS.repeats}: lower it`);
    if (ways > 1)
      throw new Refused('a repetition of something that itself repeats or chooses: write it out once');
    return { text: `${text}{${least},${most}}${lazy}`, ways: most - least + 1 };
  }

  #peek(): string {
    return this.#source.charAt(this.#at);
  }

  #eat(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
