// The word for silence, as models write it. None of these may reach chat; what talks about the word passes unchanged.
import { describe, expect, it } from 'vitest';
import { spoken, withoutSilence } from './silence.ts';

const SILENT = [
  '',
  ' \n ',
  'NO_REPLY',
  'no_reply',
  'No_Reply',
  '  NO_REPLY \n',
  '[NO_REPLY]',
  '[no_reply]',
  '(NO_REPLY)',
  '<NO_REPLY>',
  '<NO_REPLY/>',
  '{NO_REPLY}',
  'NO_REPLY.',
  'NO_REPLY!',
  'NO_REPLY…',
  '"NO_REPLY"',
  '“NO_REPLY”',
  '«no_reply»',
  '「NO_REPLY」',
  "'NO_REPLY'.",
  '`NO_REPLY`',
  '**NO_REPLY**',
  '__NO_REPLY__',
  '_no_reply_',
  '> NO_REPLY',
  '- NO_REPLY',
  '# NO_REPLY',
  '🤐 NO_REPLY',
  String.raw`NO\_REPLY`,
  String.raw`**NO\_REPLY**`,
  '\u200BNO_REPLY\u200B',
  '```\nNO_REPLY\n```',
  '```text\nNO_REPLY\n```',
  'NO_REPLY\n\nNO_REPLY',
  'NO_REPLY\nbecause it is not for me',
  '[NO_REPLY]\n\nThe message is for Bob.',
  'NO_REPLY. This is for Bob.',
  'NO_REPLY - not addressed to me',
  'NO_REPLY — this is for Bob',
  'NO_REPLY (not addressed to me)',
  '[NO_REPLY] Not addressed to me.',
  '**NO_REPLY** (this is for Bob)',
  'NO_R',
  'NO_RE',
  'NO_REPL',
  '[no_rep',
];

describe('silence', () => {
  it.each(SILENT)('is %j', (text) => {
    expect(spoken(text)).toBeUndefined();
    expect(withoutSilence(text)).toBeUndefined();
  });
});

describe('a text that says something', () => {
  it.each([
    'hello',
    'No.',
    'NO',
    '_No_',
    'No reply.',
    'No reply from Bob yet.',
    'The token NO_REPLY means silence.',
    'NO_REPLY is the word for silence.',
    '`NO_REPLY` is what the runner swallows.',
    '[NO_REPLY] means silence.',
    'Print NO_REPLY',
    'To stay silent, answer with exactly: NO_REPLY',
    'Which one? NO_REPLY',
    'no_reply_to is the name of the column',
    'Set NO_REPLY=1 and start again.',
    'Put this in the file:\n```\nNO_REPLY\n```\nand start it again.',
    '👍',
    '...',
    '    indented\n  text ',
  ])('%j is said as it is', (text) => expect(withoutSilence(text)).toBe(text));

  it.each([
    ['Done.\nNO_REPLY', 'Done.'],
    ['Done.\n\n[no_reply]\n', 'Done.'],
    ['Done. NO_REPLY', 'Done.'],
    ['It is **fixed.** [NO_REPLY]', 'It is **fixed.**'],
    ['Done.\nNO_RE', 'Done.'],
    ['One.\n\nNO_REPLY\n\nTwo.', 'One.\n\n\nTwo.'],
  ])('%j is said as %j', (text, said) => expect(spoken(text)).toBe(said));
});
