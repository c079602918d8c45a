// Asks Slack whether everything is in place: the tokens, what they may do, and where the app has been invited.
import { type Finding, notOk } from '../finding.ts';
import type { Secret } from '../secret.ts';
import type { SlackApi } from './api.ts';
import { deadLogin, logIn, missingSecret, SCOPES } from './login.ts';

export interface CheckDeps {
  botToken: Secret;
  /** Events over Socket Mode: the app-level token. */
  appToken?: Secret;
  /** Events over HTTP: the signing secret. */
  signingSecret?: Secret;
  makeApi: (token: string) => SlackApi;
}

const SLACK = { platform: 'Slack', words: { missing: missingSecret, dead: deadLogin } };

export async function* checkSlack(deps: CheckDeps): AsyncGenerator<Finding> {
  const { botToken, appToken, signingSecret, makeApi } = deps;
  const token = await botToken.read();
  if (token === undefined) return yield notOk('token', botToken, undefined, SLACK);
  const api = makeApi(token);
  const result = await logIn(api);
  if (!result.ok) return yield notOk('token', botToken, result.failure, SLACK);
  const { team, user, host, name = 'earshot' } = result.login;
  yield { what: 'token', ok: true, said: `user ${user} in ${host ?? 'workspace'} (${team})` };
  for (const scope of result.missing) {
    const fix = 'add it to the manifest and install the app again';
    yield { what: 'scope', ok: false, said: `${scope} is missing: ${SCOPES[scope]}`, fix };
  }
  if (appToken !== undefined) yield await checkSocket(appToken, makeApi);
  if (signingSecret !== undefined)
    yield (await signingSecret.read()) === undefined
      ? notOk('token', signingSecret, undefined, SLACK)
      : { what: 'events', ok: true, said: 'posted by Slack, and signed' };
  yield* checkChannels(api, name);
}

async function checkSocket(appToken: Secret, makeApi: CheckDeps['makeApi']): Promise<Finding> {
  const token = await appToken.read();
  if (token === undefined) return notOk('token', appToken, undefined, SLACK);
  const opened = await makeApi(token).call('apps.connections.open');
  return opened.ok
    ? { what: 'events', ok: true, said: 'over Socket Mode' }
    : notOk('events', appToken, opened.failure, SLACK);
}

const CHANNELS = 200;

async function* checkChannels(api: SlackApi, name: string): AsyncGenerator<Finding> {
  const called = await api.call<{ channels?: { name?: string }[] }>('users.conversations', {
    types: 'public_channel,private_channel',
    limit: CHANNELS,
  });
  if (!called.ok) return;
  const names = (called.value.channels ?? []).flatMap((one) =>
    one.name === undefined ? [] : [`#${one.name}`],
  );
  yield names.length > 0
    ? { what: 'channels', ok: true, said: names.join(' ') }
    : { what: 'channels', ok: false, said: 'the app is in none', fix: `write /invite @${name} in a channel` };
}
