// The text of a digest: one line per conversation with figures, names and ids, never the text of a message.
import { headerWord } from '../../protocol/identity.ts';
import type { DigestLine } from '../delivery/delivery-row.ts';

export function digestText(lines: readonly DigestLine[]): string {
  return lines.map(digestLineText).join('\n');
}

/** Names and ids in a digest are one word each, of at most this many code points. */
const DIGEST_WORD_CHARS = 64;

function digestLineText(line: DigestLine): string {
  const { where, stream, events, authors, types, progress = [], claims = [], resolved = [] } = line;
  const { signals = [] } = line;
  const at = stream === undefined ? word(where) : `${word(where)} (${word(stream)})`;
  const parts: [title: string, entries: string[]][] = [
    ['progress', progress.map(({ by, done, total }) => `${word(by)} ${figure(done, total)}`)],
    ['claimed', claims.map(({ by, count }) => `${word(by)} ${count}`)],
    ['resolved', resolved.map(({ by, eventId = 'everything' }) => `${word(eventId)} by ${word(by)}`)],
    ['signals', signals.map(({ signal, count }) => `${signal} ${count}`)],
  ];
  const said = events === 0 ? '' : ` ${events} ${types.join('/')} by ${authors.map(word).join(', ')}`;
  const figures = parts.flatMap(([title, entries]) =>
    entries.length === 0 ? [] : [`${title}: ${entries.join(', ')}`],
  );
  return `${at}:${[said, ...figures.map((part) => ` ${part}`)].filter((part) => part !== '').join(';')}`;
}

function word(text: string): string {
  return headerWord(text, DIGEST_WORD_CHARS);
}

function figure(done: number, total: number | undefined): string {
  return total === undefined ? String(done) : `${done}/${total}`;
}
