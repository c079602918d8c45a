// Asks Slack whether everything is in place: the tokens, what they may do, and where the app has been invited.
import type { Failure } from '../failure.ts';
import type { Secret } from '../secret.ts';
import type { SlackApi } from './api.ts';
import { deadLogin, logIn, missingSecret, SCOPES } from './login.ts';

export interface Finding {
  what: string;
  ok: boolean;
  said: string;
  fix?: string;
}

export interface CheckDeps {
  botToken: Secret;
  /** Events over Socket Mode: the app-level token. */
  appToken?: Secret;
  /** Events over HTTP: the signing secret. */
  signingSecret?: Secret;
  makeApi: (token: string) => SlackApi;
}

export async function* checkSlack(deps: CheckDeps): AsyncGenerator<Finding> {
  const { botToken, appToken, signingSecret, makeApi } = deps;
  const token = await botToken.read();
  if (token === undefined) return yield missing(botToken);
  const api = makeApi(token);
  const result = await logIn(api);
  if (!result.ok) return yield failed('token', botToken, result.failure);
  const { team, user, host } = result.login;
  yield { what: 'token', ok: true, said: `user ${user} in ${host ?? 'workspace'} (${team})` };
  for (const scope of result.missing) {
    const fix = 'add it to the manifest and install the app again';
    yield { what: 'scope', ok: false, said: `${scope} is missing: ${SCOPES[scope]}`, fix };
  }
  if (appToken !== undefined) yield await checkSocket(appToken, makeApi);
  if (signingSecret !== undefined)
    yield (await signingSecret.read()) === undefined
      ? missing(signingSecret)
      : { what: 'events', ok: true, said: 'posted by Slack, and signed' };
  yield* checkChannels(api);
}

async function checkSocket(appToken: Secret, makeApi: CheckDeps['makeApi']): Promise<Finding> {
  const token = await appToken.read();
  if (token === undefined) return missing(appToken);
  const opened = await makeApi(token).call('apps.connections.open');
  return opened.ok
    ? { what: 'events', ok: true, said: 'over Socket Mode' }
    : failed('events', appToken, opened.failure);
}

const CHANNELS = 200;

async function* checkChannels(api: SlackApi): AsyncGenerator<Finding> {
  const called = await api.call<{ channels?: { name?: string }[] }>('users.conversations', {
    types: 'public_channel,private_channel',
    limit: CHANNELS,
  });
  if (!called.ok) return;
  const names = (called.value.channels ?? []).flatMap(({ name }) => (name === undefined ? [] : [`#${name}`]));
  yield names.length > 0
    ? { what: 'channels', ok: true, said: names.join(' ') }
    : { what: 'channels', ok: false, said: 'the app is in none', fix: 'write /invite @earshot in a channel' };
}

function missing(secret: Secret): Finding {
  const health = missingSecret(secret);
  return {
    what: 'token',
    ok: false,
    said: `${secret.name} is missing`,
    fix: 'fix' in health ? health.fix : '',
  };
}

function failed(what: string, secret: Secret, failure: Failure): Finding {
  const { error } = failure;
  if (failure.type === 'lost' || failure.type === 'limited')
    return {
      what,
      ok: false,
      said: `Slack did not answer: ${error}`,
      fix: 'look at the network and try again',
    };
  const health = deadLogin(secret, error);
  return { what, ok: false, said: `${secret.name}: ${error}`, fix: 'fix' in health ? health.fix : '' };
}
