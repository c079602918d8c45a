// Invented secrets of every kind, and ordinary texts that look like secrets. The secrets are put together when a test
// runs, so that no scanner reports this repository as a leak.

/** Letters and digits that look random and are the same each time. */
export function fake(chars: number, alphabet = 'aK3xZ9qLm7RtB2vWc5YdN8pHf4Gj6Su'): string {
  return Array.from({ length: chars }, (_, i) => alphabet.charAt((i * 7 + (i >> 2)) % alphabet.length)).join(
    '',
  );
}
const hex = (chars: number): string => fake(chars, '3fa9c07be152d864');
const upper = (chars: number): string => fake(chars, 'K3Z9L7RB2VW5YN8PH4G6SQ');
const KEY = ['PRIVATE', 'KEY'].join(' ');
const pem = (kind: string, end = true): string =>
  `-----BEGIN ${kind}${KEY}-----\nMIIE${fake(60)}\n${fake(64)}\n${fake(40)}==\n${end ? `-----END ${kind}${KEY}-----` : ''}`;

/** By kind: a text that holds the secret with what must stand around it, and the secret itself. */
export const SECRETS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'earshot agent token': whole('ear_a_' + fake(43)),
  'earshot surface token': whole('ear_s_' + fake(43)),
  'earshot operator token': whole('ear_o_' + fake(43)),
  'earshot person token': whole('ear_p_' + fake(43)),
  'earshot pairing code': whole('claim-K7QM-2XWT'),
  'earshot pairing code, retyped': whole('claim-k7qm-2xwt'),
  'aws access key id': whole('AKIA' + upper(16)),
  'aws session key id': whole('ASIA' + upper(16)),
  'aws secret access key': inside('aws_secret_access_key = ', fake(38) + '/+'),
  'telegram bot token': whole('7204318856:AA' + fake(33)),
  'telegram bot token in an address': inside('https://api.telegram.org/bot', '7204318856:AA' + fake(33)),
  'discord bot token': whole('MTE' + fake(23) + '.GkX3z_.' + fake(38)),
  'discord webhook': inside('https://discord.com/api/webhooks/104318856720431885/', fake(68)),
  jwt: whole('eyJ' + fake(33) + '.eyJ' + fake(80) + '.' + fake(43)),
  'google api key': whole('AIza' + fake(35)),
  'google oauth client secret': whole('GOCSPX-' + fake(28)),
  'google access token': whole('ya29.' + fake(120)),
  'openai key': whole('sk-' + fake(20) + 'T3BlbkFJ' + fake(20)),
  'openai project key': whole('sk-proj-' + fake(74) + 'T3BlbkFJ' + fake(74)),
  'openai key of another length': whole('sk-proj-' + fake(51)),
  'anthropic key': whole('sk-ant-api03-' + fake(93) + 'AA'),
  'openrouter key': whole('sk-or-v1-' + hex(64)),
  'slack bot token': whole('xoxb-204318856720-304318856720-' + fake(24)),
  'slack app token': whole('xapp-1-A0431885672-5043188567204-' + hex(64)),
  'slack webhook': whole('https://hooks.slack.com/services/T04318856/B04318856/' + fake(24)),
  'github classic token': whole('ghp_' + fake(36)),
  'github installation token': whole('ghs_' + fake(36)),
  'github fine-grained token': whole('github_pat_' + fake(22) + '_' + fake(59)),
  'gitlab token': whole('glpat-' + fake(20)),
  'npm token': whole('npm_' + fake(36)),
  'sendgrid key': whole('SG.' + fake(22) + '.' + fake(43)),
  'stripe key': whole('sk_live_' + fake(24)),
  'stripe webhook secret': whole('whsec_' + fake(32)),
  'hugging face token': whole('hf_' + fake(34)),
  'groq key': whole('gsk_' + fake(52)),
  'linear key': whole('lin_api_' + fake(40)),
  'notion token': whole('ntn_20431885672' + fake(35)),
  'vault token': whole('hvs.' + fake(95)),
  'shopify token': whole('shpat_' + hex(32)),
  'docker token': whole('dckr_pat_' + fake(27)),
  'databricks token': whole('dapi' + hex(32)),
  'tailscale key': whole('tskey-auth-' + fake(12) + '-' + fake(32)),
  'figma token': whole('figd_' + fake(43)),
  'grafana token': whole('glsa_' + fake(32) + '_' + hex(8)),
  'pypi token': whole('pypi-AgEI' + fake(80)),
  'matrix token': whole('syt_' + fake(12) + '_' + fake(20) + '_' + fake(6)),
  'bearer header': inside('Authorization: Bearer ', fake(40)),
  'basic header': inside('curl -H "authorization: Basic ', fake(22) + '=='),
  'postgres address': inside('postgres://app:', fake(12)),
  'basic-auth address': inside('https://ci:', fake(12)),
  'password assignment': inside('password=', 'hunter2!'),
  'password in a sentence': inside('the wifi password: ', 'Tr0ub4dor&3'),
  'secret in yaml': inside('client_secret: ', fake(24)),
  'token in json': inside('{"token":"', fake(20)),
  'api key in code': inside("const apiKey = '", fake(24)),
  'password that begins as a placeholder': inside('password: ', 'mycat123!'),
  'password that begins with a sign': inside('password=', '*Stern99'),
  'password in spanish': inside('contraseña: ', 'gato1234'),
  'password in german': inside('Passwort = ', 'katze#77'),
  'password in japanese': inside('パスワード：', 'neko1234'),
  'password in chinese': inside('密码：', 'mao12345'),
  'password in korean': inside('비밀번호: ', 'goyang77'),
  'rsa private key': whole(pem('RSA ')),
  'openssh private key': whole(pem('OPENSSH ')),
  'pkcs8 private key': whole(pem('')),
  'private key cut off': whole(pem('EC ', false).trim()),
};

/** Texts that redaction must leave alone. Most of them pass the prefilter. */
export const NOT_SECRETS: readonly string[] = [
  'fixed in 3f2a9c07be152d8643fa9c07be152d864e1b0c99, please pull',
  'request 550e8400-e29b-41d4-a716-446655440000 timed out',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4',
  'screenshot-2026-11-15-at-10.32.45-aGVsbG8td29ybGQ.png',
  'https://github.com/earshot/earshot/blob/main/src/host/security/redact.ts#L10-L42',
  'https://example.com/a/very/long/path?page=3&sort=created_at&filter=open',
  'https://medium.com/@writer/how-we-did-it-3f2a9c07be15',
  'see http://localhost:3000/@user/settings and http://10.0.0.7:8080/health',
  'postgres://app:${DB_PASSWORD}@db.internal/prod',
  'https://user:password@example.com is how it would look',
  'git@github.com:earshot/earshot.git',
  'const token = await tokens.issue({ kind, subject });',
  'const password = readLine(prompt1);',
  'if (secret === other.secret2) return true; // token: string1',
  'password: string; secret?: string; token: Token | undefined;',
  'max_tokens: 4096, token: 12345678',
  'password: required, at least twelve characters',
  'API_KEY=$API_KEY PASSWORD=${PASSWORD} TOKEN=<your token> SECRET=********',
  'secret: base64url, token: oauth2, password=change_me, key: process.env.KEY1',
  'export PWD=/home/user1/project',
  'the secret: never give up. And the password? ask Ana.',
  'claim-next-step and claim-form-data are both fine; claim it if you want',
  'sk-loading-indicator-container is the css class, task-force-alpha-centauri the team',
  'npm_config_registry_location and hf_transfer_enabled_everywhere',
  'a basic understanding-of-internationalization, and the bearer responsible-for-that',
  'the header says -----BEGIN CERTIFICATE----- and then the usual',
  'how do I paste a -----BEGIN ' + KEY + '----- here?',
  'v10.240.133-beta.18 released 2026-11-15T10:32:45.123Z (build 20261115103245)',
  'compass: N45E120, bypass: 12:30, compassion=high2low',
  'AKIA is the prefix; ASIA-PACIFIC-REGIONAL is a region',
  'com.example.product.feature.subfeature.implementation.ClassName',
  'node:internal/modules/cjs/loader:1228 throw err; Error: Cannot find module',
  'eyJ is how a jwt starts, AIza a google key',
  'the password is required, at least 12 characters; the token is expired? the secret is out!',
  'the password is ${PASSWORD}, the token is process.env.TOKEN1, the api key is in 1Password',
  'password: string\ntoken2: number\nsecret: Buffer\nkey3: x',
  'disk-3f2a9c07be152d8643fa and task-01J9Z3K8QXW4T7V2B6N5M0ABCD are ids',
  'turn:turn_2sO-lAYMhnSCz2BhItUpWD:started:lead:c/dev/local/room-12',
  'turn:rotate-token:ended:lead:c/slack/T04318856/C0431885672',
  '２０２６年の計画：①設計、②実装。Ｑ＆Ａは１０時から',
  '会議は10:30からです。資料はhttps://example.com/docs/2026を見てください',
];

function whole(secret: string): [string, string] {
  return [secret, secret];
}

/** Closes what `before` opened: an address gets its host, a quotation its closing quote. */
function inside(before: string, secret: string): [string, string] {
  const after = /:\/\/[^@]*:$/.test(before)
    ? '@db.example.net/app'
    : /["']$/.test(before)
      ? before.slice(-1)
      : '';
  return [before + secret + after, secret];
}
