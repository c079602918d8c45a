// Makes regular expressions from the configuration safe to run on text from outside, because JavaScript cannot
// interrupt one. It counts the ways in which a pattern can match from one position: a sequence multiplies,
// alternatives add. It refuses to repeat a part that itself repeats or chooses, and gives `*` and `+` an upper bound.
// So a search costs at most PATTERN_LIMITS.ways × text: 25 ms for 4 KB with the worst allowed pattern, under 1 ms with
// a usual one.

export const PATTERN_LIMITS = {
  chars: 200,
  /** The most repetitions that `*`, `+` and `{n,}` add. A pattern may hold two of them. */
  reach: 32,
  /** The most ways to match from one position. */
  ways: 1_100,
  repeats: 1_000,
} as const;

export type SafePattern = { ok: true; regexp: RegExp } | { ok: false; problem: string };

/** Compiles with the flags `iu`. The problem says what to write instead. */
export function safePattern(source: string): SafePattern {
  if (source.length > PATTERN_LIMITS.chars) {
    return no(`longer than ${PATTERN_LIMITS.chars} characters: split it into several rules`);
  }
  try {
    // RegExp checks the syntax first, so the reader sees only well-formed patterns.
    const { text, ways } = new PatternReader(new RegExp(source, 'u').source).all();
    if (ways > PATTERN_LIMITS.ways) {
      return no('too many ways to match: use fewer of *, + and |, or split it into several rules');
    }
    return { ok: true, regexp: new RegExp(text, 'iu') };
  } catch (error) {
    if (error instanceof UnsafePattern || error instanceof SyntaxError) return no(error.message);
    throw error;
  }
}

function no(problem: string): SafePattern {
  return { ok: false, problem };
}

class UnsafePattern extends Error {}

/** A rewritten piece of the pattern, and the number of ways in which it can match. */
interface Piece {
  text: string;
  ways: number;
}

class PatternReader {
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
    if (/^\\(?:[1-9]|k)/.test(rest))
      throw new UnsafePattern('\\1 and \\k refer back: write the words out instead');
    if (/^\(\?(?!:)/.test(rest)) {
      throw new UnsafePattern('(?…) looks around or names a group: use a plain ( ) or (?: )');
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
      throw new UnsafePattern(`a repetition over ${PATTERN_LIMITS.repeats}: lower it`);
    if (ways > 1)
      throw new UnsafePattern('a repetition of something that itself repeats or chooses: write it out once');
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
