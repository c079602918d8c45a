// What an import kept less of, and what it left out: counted by name, and said in words at the end. Files that cannot be
// read are also named, a few of them.

/** `kept`: it is in the log, with less than the platform knew. The others are not in the log. */
export const ACCOUNTS = {
  notices: { kept: false, words: 'notices of the platform, such as joins' },
  reactions: { kept: false, words: 'reactions that stand for no signal, or whose author is not named' },
  direct: { kept: false, words: 'direct messages between people, which no app hears' },
  deleted: { kept: false, words: 'deleted messages, whose words are gone' },
  malformed: { kept: false, words: 'messages that do not look like any of the platform' },
  files: { kept: false, words: 'files that could not be read' },
  others: { kept: false, words: 'files without messages' },
  outside: { kept: false, words: 'paths that point out of the export' },
  edited: { kept: true, words: 'edited messages, of which the export has the last wording only' },
  strangers: { kept: true, words: 'messages by people whose names are not in the export' },
  rooms: { kept: true, words: 'messages of channels that the export does not list' },
} as const;
export type AccountKind = keyof typeof ACCOUNTS;

export interface Account {
  add(kind: AccountKind, name: string): void;
  /** A file that cannot be read, and why. */
  problem(path: string, why: string): void;
  /** By kind, then by name, the largest first. */
  lines(): AccountLine[];
}

export interface AccountLine {
  kind: AccountKind;
  kept: boolean;
  words: string;
  count: number;
  names: { name: string; count: number }[];
}

/** Names beyond this number share one line. */
const NAMES_KEPT = 200;
const OTHERS = 'others';

export function createAccount(say: (line: string) => void = () => {}): Account {
  const counts = new Map<AccountKind, Map<string, number>>();
  let said = 0;
  const add = (kind: AccountKind, name: string): void => {
    const names = counts.get(kind) ?? new Map<string, number>();
    counts.set(kind, names);
    const key = names.has(name) || names.size < NAMES_KEPT ? name : OTHERS;
    names.set(key, (names.get(key) ?? 0) + 1);
  };
  return {
    add,
    problem(path, why) {
      add('files', why);
      if (++said <= PROBLEMS_NAMED) say(`${path}: ${why}`);
    },
    lines: () =>
      (Object.keys(ACCOUNTS) as AccountKind[]).flatMap((kind) => {
        const names = [...(counts.get(kind) ?? [])].map(([name, count]) => ({ name, count }));
        if (names.length === 0) return [];
        const count = names.reduce((sum, one) => sum + one.count, 0);
        return [{ kind, ...ACCOUNTS[kind], count, names: names.toSorted((a, b) => b.count - a.count) }];
      }),
  };
}

/** Files beyond this number are only counted. */
const PROBLEMS_NAMED = 20;
