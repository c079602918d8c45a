// Our own rules for finding secrets, as a table. They cover what the maintained rules miss: tokens of the platforms
// Earshot talks to, Earshot's own tokens and codes, keys whose length has changed since a maintained rule was written,
// and assignments. Chat is untrusted, so every pattern has bounded counts and no nested repetition.
import { HOST_ID_PREFIXES } from '../../protocol/derived-id.ts';
import type { Span, Spans } from './redact.ts';

export interface SecretRule {
  kind: string;
  /**
   * The group `secret` marks the secret where other text stands around it; without that group the whole match is the
   * secret. Flags: `g`, and `d` with a group `secret`.
   */
  pattern: RegExp;
  /** A second check. It gets the group `body` if there is one, else the secret. */
  plausible?: (secret: string, text: string) => boolean;
  /** The secret is known by itself, whatever stands around it. So it is also found where line breaks part it. */
  byItself?: true;
}

export function findByOwnRules(text: string, rules: readonly SecretRule[] = SECRET_RULES): Spans {
  return rules.flatMap(({ pattern, plausible }) => {
    const found: Span[] = [];
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.['secret'] ?? [match.index, match.index + match[0].length];
      const judged = match.groups?.['body'] ?? text.slice(start, end);
      if (plausible === undefined || plausible(judged, text)) found.push([start, end]);
    }
    return found;
  });
}

/** Prefixes that occur in no word. A key follows them, also where a letter stands right before. */
export const CLEAR_PREFIXES: string = [
  String.raw`gh[pousr]_|github_pat_|glpat-|glsa_|xox[a-z][.-]|xapp-|npm_|gsk_|lin_api_|dckr_pat_|figd_|tskey-`,
  String.raw`shp(?:at|ca|pa|ss)_|[sr]k_(?:live|test)_|whsec_|pypi-|AGE-SECRET-KEY-|GOCSPX-|ya29\.|sk-(?:proj|ant|or)-|syt_`,
].join('|');

/** A key follows these prefixes. The text after the prefix must still look machine-made. */
export const KEY_PREFIXES: string = [
  CLEAR_PREFIXES,
  String.raw`glc_|hf_|ntn_|hv[sbr]\.|vc[pcairk]_|cf(?:k|ut|at)_|ops_|SG\.|sk-|xai-|pplx-|r8_|sq0[a-z]{3}-|mfa\.|dapi`,
].join('|');

/** Words that people write before a secret, in the languages of the intent word lists. */
export const SECRET_NAMES: string = [
  String.raw`(?<![a-z])pass|password|passwd|passphrase|passcode|pwd|secret|token|credentials?`,
  String.raw`(?:api|access|private|secret|account|encryption|signing|auth)[ _-]?key`,
  String.raw`passwort|kennwort|contrase[ñn]a|(?<![a-z])clave|mot de passe|(?<![a-z])mdp|senha`,
  String.raw`パスワード|暗証番号|密码|密碼|비밀번호|암호`,
].join('|');
/** What may stand between the word and "is": "the password for the new wifi is …". */
const FOR = String.raw`(?:\s(?:for|of|to|on|at|für|von|zum|para|del?|d[oa]|pour|du)(?:\s[^\s.?!]{1,32}){1,3})?`;
const IS = String.raw`(?:'s|’s|\s(?:is|was|ist|lautet|war|es|era|est|é))(?:\s(?:now|still|jetzt|ahora|agora|maintenant))?\s{0,2}[:：]?\s`;
const IS_UNSPACED = String.raw`(?:は|が|是|为|為|는|은|가|이)\s?[:：]?\s?`;
/** "password is", in the languages of the intent word lists. */
export const SAID: string = String.raw`(?:${SECRET_NAMES})(?:${FOR}${IS}|${IS_UNSPACED})["'\`“„«「『*]{0,3}`;
/** A word like "password" with the sign of an assignment. */
export const NAMED: string = String.raw`(?:${SECRET_NAMES})\\?["'\`]?\s{0,4}(?:=>|:=|[=:：＝])\s{0,4}`;

export const SECRET_RULES: readonly SecretRule[] = [
  // Any letter: a kind of token that is new is redacted too.
  { kind: 'earshot token', pattern: /ear_[a-z]_[\w-]{43}/g, byItself: true },
  { kind: 'earshot token, cut short or with more behind it', pattern: /ear_[a-z]_[\w-]{30,200}/g },
  {
    kind: 'earshot pairing code',
    pattern: /claim-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}/gi,
    byItself: true,
    // "claim-next-step" is plain English. A code has a digit, is in capitals, or is the whole message.
    plausible: (code, text) =>
      /\d/.test(code) || code.slice(6) === code.slice(6).toUpperCase() || text.trim() === code,
  },
  {
    kind: 'aws access key id',
    pattern: /(?<![A-Z0-9])(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/g,
    byItself: true,
  },
  // API addresses write "bot" right before the token, so a letter may come first.
  { kind: 'telegram bot token', pattern: /(?<!\d)\d{6,12}:AA[\w-]{32,34}/g, byItself: true },
  {
    kind: 'discord bot token',
    pattern: /(?<![\w-])[\w-]{23,100}\.[\w-]{6}\.[\w-]{27,70}/g,
    byItself: true,
    // The first part of the token is a number in base64. A long dotted name lacks digits or capitals.
    plausible: (token) => /\d/.test(token) && /[A-Z]/.test(token),
  },
  {
    kind: 'discord webhook',
    pattern: /discord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/\d{16,20}\/(?<secret>[\w-]{40,100})/dg,
    byItself: true,
  },
  {
    kind: 'slack webhook',
    pattern: /(?:https:\/\/)?hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{16,200}/g,
    byItself: true,
  },
  {
    kind: 'sendgrid key',
    pattern: /SG\.[\w-]{16,32}\.[\w-]{16,64}/g,
    plausible: drawnAtRandom,
    byItself: true,
  },
  { kind: 'databricks token', pattern: /dapi[0-9a-f]{32}/g, byItself: true },
  { kind: 'jwt', pattern: /(?<![\w-])eyJ[\w-]{10,8000}\.[\w-]{2,16000}(?:\.[\w-]{0,16000}){0,3}/g },
  {
    kind: 'jwt right after a letter',
    pattern: /eyJ[\w-]{10,8000}\.eyJ[\w-]{2,16000}(?:\.[\w-]{0,16000}){0,3}/g,
    byItself: true,
  },
  { kind: 'google api key', pattern: /AIza[\w-]{35}/g, plausible: madeByMachine, byItself: true },
  {
    kind: 'prefixed key',
    pattern: new RegExp(String.raw`(?<![A-Za-z0-9])(?:${KEY_PREFIXES})(?<body>[\w.+/=-]{16,1000})`, 'g'),
    plausible: madeByMachine,
    byItself: true,
  },
  {
    kind: 'prefixed key right after a letter',
    pattern: new RegExp(String.raw`(?:${CLEAR_PREFIXES})(?<body>[\w.+/=-]{16,1000})`, 'g'),
    plausible: drawnAtRandom,
    byItself: true,
  },
  {
    kind: 'key right after a letter, with a prefix that words end with too',
    pattern: new RegExp(String.raw`(?:${KEY_PREFIXES})(?<body>[A-Za-z0-9]{20,1000})`, 'g'),
    plausible: (body) => drawnAtRandom(body) && /[a-z]/.test(body) && /[A-Z]/.test(body),
  },
  {
    kind: 'authorization header',
    pattern: /\b(?:bearer|basic)\s{1,4}(?<secret>[\w.~+/=-]{16,8000})/dgi,
    plausible: madeByMachine,
    byItself: true,
  },
  {
    kind: 'password in a url',
    pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,128}:(?<secret>[^\s/@]{3,256})@(?=[\w[])/dgi,
    plausible: (secret) => !isPlaceholder(secret),
  },
  {
    kind: 'quoted assignment',
    pattern: new RegExp(String.raw`${NAMED}\\?(["'\`])(?<secret>[^\n]{6,512}?)\1`, 'dgi'),
    plausible: (secret) => !isPlaceholder(secret) && looksChosen(secret),
    byItself: true,
  },
  {
    kind: 'assignment',
    // The value runs to a space or a quote, without the sentence's punctuation at its end.
    pattern: new RegExp(String.raw`${NAMED}(?<secret>[!#-&(-;=?-_a-~]{6,512}(?<![,;.)\]}]))`, 'dgi'),
    plausible: (secret, text) =>
      !isPlaceholder(secret) && !isCode(secret) && looksChosen(secret) && !endsTurnId(secret, text),
  },
  {
    kind: 'said in a sentence',
    pattern: new RegExp(String.raw`${SAID}(?<secret>[!#-&(-;=?-_a-~]{6,512}(?<![,;.)\]}*?:]))`, 'dgi'),
    plausible: (secret) =>
      !isPlaceholder(secret) && !isCode(secret) && looksChosen(secret.replace(/[!?.]+$/, '')),
  },
  {
    kind: 'private key block',
    // A length limit may have cut off the END line. Then the block runs to the end of the text.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:[^](?!-----END )){0,20000}(?:[^]?-----END [A-Z0-9 ]{0,48}-----)?/g,
    plausible: (block) => /[A-Za-z0-9+/=]{24}/.test(block.slice(11)),
    byItself: true,
  },
];

/** What is searched for across line breaks. */
export const RULES_ACROSS_LINES: readonly SecretRule[] = SECRET_RULES.filter(
  ({ byItself }) => byItself === true,
);

/** True with a digit or with a capital after a small letter. Words joined by hyphens or underscores have neither. */
export function madeByMachine(secret: string): boolean {
  return /\d/.test(secret) || /[a-z][A-Z]/.test(secret);
}

/** True with a long run of letters with at least two digits among them. */
function drawnAtRandom(secret: string): boolean {
  return (
    secret.match(/[A-Za-z0-9]{16,}/g)?.some((run) => /\d\D*\d/.test(run) && /[A-Za-z]/.test(run)) === true
  );
}

/** True for letters with digits or signs, as people choose passwords. A bare word or a bare number is not one. */
function looksChosen(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /[\d!@#$%^&*+?=~]/.test(secret);
}

/** Shell and template variables, rows of stars, and the words that documentation puts in place of a value. */
const PLACEHOLDER = new RegExp(
  [
    String.raw`^(?:\$(?:\w+$|[{(])|%\w+%$|[{<[\\]|\*{3}|\.{3}|x{3}|process\.|env\.)`,
    String.raw`^(?:(?:my|your|the|some|change)[_-]?)?(?:password|passwd|pass|secret|token|key|me)$|^your[_-]|^redacted`,
    String.raw`^(?:example|null|undefined|sha\d+|base64(?:url)?|oauth\d?|u?int\d+|float\d*|string\d?|[hr]s\d+)$`,
  ].join('|'),
  'i',
);

function isPlaceholder(secret: string): boolean {
  return PLACEHOLDER.test(secret) || secret === secret.charAt(0).repeat(secret.length);
}

/** True for a path, an address, a call or a property: code assigns these, and they are no secrets. */
function isCode(secret: string): boolean {
  return /^(?:[/~&]|\.{1,2}\/|[a-z]{2,10}:\/\/|[A-Za-z_$][\w$]{0,64}(?:[[({<]|!\.|\.[A-Za-z_$]|->|::))/.test(
    secret,
  );
}

/**
 * True for what stands behind the harness's own name of a turn in the id of its record. That name may be "rotate-token"; cut
 * there, start and end would have one id, and nobody who reads the log could tell them apart or ask for either.
 */
function endsTurnId(secret: string, text: string): boolean {
  return text.startsWith(HOST_ID_PREFIXES.turn) && /^(?:started|ended):/.test(secret);
}
