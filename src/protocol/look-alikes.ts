// Letters that look like Latin ones, for comparing what a reader sees with the words of the protocol: Cyrillic, Greek,
// Armenian, Cherokee and Lisu letters, small capitals, and Latin letters with marks or strokes. It is for comparing only:
// what is shown keeps its letters.

/** Each row: the Latin letter, then what looks like it. Capitals and small letters apart. */
const ROWS = [
  'AΑАᎪꓮᗅᴀ',
  'BΒВᏴꓐʙ',
  'CСϹᏟꓚᴄ',
  'DᎠꓓᗞᴅ',
  'EΕЕᎬꓰᴇ',
  'FϜꓝғ',
  'GԌᏀꓖɢ',
  'HΗНᎻꓧʜ',
  'IΙІӀᏆꓲɪ',
  'JЈᎫꓙᴊͿ',
  'KΚКᏦꓗᴋ',
  'LᏞꓡʟԼ',
  'MΜМᎷꓟᴍ',
  'NΝꓠɴ',
  'OΟОՕꓳᴏ',
  'PΡРᏢꓑᴘ',
  'QԚꞯ',
  'RᎡꓣʀᏒ',
  'SЅՏᏚꓢꜱ',
  'TΤТᎢꓔᴛ',
  'UՍꓴᴜ',
  'VѴᏙꓦᴠ',
  'WԜᎳꓪᴡ',
  'XΧХꓫ',
  'YΥҮҰꓬʏ',
  'ZΖᏃꓜᴢ',
  'aаɑα',
  'bЬƅ',
  'cсϲ',
  'dԁ',
  'eеҽε',
  'fƒ',
  'gɡց',
  'hһհ',
  'iіıιɩ',
  'jјϳ',
  'kкκ',
  'lӏ',
  'mм',
  'nոпη',
  'oоοօσ',
  'pрρ',
  'qԛզ',
  'rгᴦ',
  'sѕ',
  'tтτ',
  'uսυʋ',
  'vѵν',
  'wԝω',
  'xхχ',
  'yуүγ',
] as const;

const LATIN = new Map(
  ROWS.flatMap(([latin = '', ...alike]) => alike.map((letter) => [letter, latin] as const)),
);
const ALIKE = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'gu');
const MARKS = /\p{M}/gu;

/** The text as it reads: look-alikes as Latin letters, marks above and below left out. */
export function looksLike(text: string): string {
  if (!NOT_ASCII.test(text)) return text;
  return text
    .normalize('NFD')
    .replace(MARKS, '')
    .replace(ALIKE, (letter) => LATIN.get(letter) ?? letter);
}

const NOT_ASCII = /[^\0-\x7f]/;
