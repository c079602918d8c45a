// Finds models by name: `anthropic/MODEL`, `openai/MODEL`, or `http://HOST/v1#MODEL` for any server that speaks
// OpenAI's protocol. The caller passes the environment. A provider's package is loaded only when one of its models is
// used.
import type { LanguageModel } from 'ai';
import { loadOptional } from '../../runtime/optional-package.ts';
import type { AgentLog } from '../agent-deps.ts';
import type { Env } from './child.ts';
import type { Runner } from './runner.ts';

/** The name is wrong or the environment lacks something. The message says what to write or to set. */
export class ModelNameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ModelNameError';
  }
}

const FORMS = 'anthropic/MODEL, openai/MODEL or http://HOST:PORT/v1#MODEL';
const ANTHROPIC_URL = 'https://api.anthropic.com';
const OPENAI_URL = 'https://api.openai.com';
const DEFAULTS = { anthropic: 'anthropic/claude-sonnet-5-5', openai: 'openai/gpt-5-mini' } as const;

export async function modelByName(name: string, env: Env): Promise<LanguageModel> {
  if (/^https?:/i.test(name)) return serverModel(name, env);
  const [, provider = '', model = ''] = /^(\w+)\/(\S+)$/.exec(name) ?? [];
  if (provider === 'anthropic') return anthropicModel(model, env);
  if (provider === 'openai') return openaiModel(model, env);
  const guess = /^claude/i.test(name)
    ? `anthropic/${name}`
    : /^(?:gpt|o\d)/i.test(name)
      ? `openai/${name}`
      : undefined;
  throw new ModelNameError(`"${name}" is no model: write ${guess ?? FORMS}`);
}

/** The name from the environment: `EARSHOT_MODEL`, or the default model of the provider whose key is set. */
export function modelFromEnv(env: Env): string | undefined {
  if (env['EARSHOT_MODEL']) return env['EARSHOT_MODEL'];
  if (env['ANTHROPIC_API_KEY']) return DEFAULTS.anthropic;
  return env['OPENAI_API_KEY'] || env['OPENAI_BASE_URL'] ? DEFAULTS.openai : undefined;
}

export interface ModelRunnerOptions {
  /** A name for `modelByName`. */
  name: string;
  env: Env;
  instructions?: string;
  log?: AgentLog;
}

/** An `ai-sdk` runner for a model by name. */
export async function modelRunner({ name, env, ...options }: ModelRunnerOptions): Promise<Runner> {
  // The model first: what it needs includes what the runner needs.
  const model = await modelByName(name, env);
  const { aiSdkRunner } = await import('./ai-sdk.ts');
  return aiSdkRunner({ model, ...options });
}

async function anthropicModel(model: string, env: Env): Promise<LanguageModel> {
  const apiKey = keyFrom(env, 'ANTHROPIC_API_KEY', `anthropic/${model}`);
  const baseURL = versioned(env['ANTHROPIC_BASE_URL'] || ANTHROPIC_URL, 'ANTHROPIC_BASE_URL');
  // The runner needs `ai` in any case: asked for here, one line names all that is missing.
  const [{ createAnthropic }] = await loadOptional(['ai', '@ai-sdk/anthropic'], () =>
    Promise.all([import('@ai-sdk/anthropic'), import('ai')]),
  );
  return createAnthropic({ apiKey, baseURL })(model);
}

async function openaiModel(model: string, env: Env): Promise<LanguageModel> {
  const url = env['OPENAI_BASE_URL'] || undefined;
  // A private server may need no key.
  const key =
    url === undefined
      ? keyFrom(env, 'OPENAI_API_KEY', `openai/${model}`)
      : env['OPENAI_API_KEY'] || undefined;
  return compatible('openai', versioned(url ?? OPENAI_URL, 'OPENAI_BASE_URL'), key, model);
}

async function serverModel(name: string, env: Env): Promise<LanguageModel> {
  const [address = '', ...rest] = name.split('#');
  const model = rest.join('#');
  const baseURL = versioned(address, 'the model');
  if (model === '')
    throw new ModelNameError(`"${name}" names no model: write it after a #, such as ${baseURL}#llama3.2`);
  return compatible('server', baseURL, env['EARSHOT_MODEL_KEY'] || undefined, model);
}

async function compatible(
  name: string,
  baseURL: string,
  apiKey: string | undefined,
  modelId: string,
): Promise<LanguageModel> {
  const [{ createOpenAICompatible }, { extractReasoningMiddleware, wrapLanguageModel }] = await loadOptional(
    ['ai', '@ai-sdk/openai-compatible'],
    () => Promise.all([import('@ai-sdk/openai-compatible'), import('ai')]),
  );
  const provider = createOpenAICompatible({
    name,
    baseURL,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  // Some servers leave a model's thoughts in its text. They are not for chat.
  const middleware = extractReasoningMiddleware({ tagName: 'think' });
  return wrapLanguageModel({ model: provider(modelId), middleware });
}

function keyFrom(env: Env, variable: string, model: string): string {
  const key = env[variable];
  if (key) return key;
  throw new ModelNameError(`${model} needs a key: set ${variable}`);
}

/** The version may be left out: the root of a server means its `/v1`. */
function versioned(text: string, where: string): string {
  const url = addressOf(text, where);
  if (url.pathname === '/') url.pathname = '/v1';
  return url.href.replace(/\/+$/, '');
}

function addressOf(text: string, where: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ModelNameError(
      `${where}: "${text}" is no address; write for example http://127.0.0.1:11434/v1`,
    );
  return url;
}
