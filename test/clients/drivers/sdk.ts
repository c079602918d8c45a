// OpenAI's Agents SDK behind Earshot's own SDK: the ten lines that people write. It is loaded from the folder that it was
// installed into.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connect } from '../../../src/agent/index.ts';

type Think = (prompt: string, signal: AbortSignal) => Promise<string>;

const { EARSHOT_URL = '', EARSHOT_TOKEN = '', CLIENT_PACKAGES = '' } = process.env;
const { resolve } = createRequire(join(CLIENT_PACKAGES, 'package.json'));
const load = async (name: string): Promise<unknown> => import(pathToFileURL(resolve(name)).href);

const think = await openaiAgents();
const quiet = (): void => undefined;
const log = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: ({ err }: Record<string, unknown>, message: string) => console.error(message, String(err)),
};
connect({ url: EARSHOT_URL, token: EARSHOT_TOKEN, log }).onTurn(({ prompt, signal }) =>
  think(prompt, signal),
);

async function openaiAgents(): Promise<Think> {
  const sdk = (await load('@openai/agents')) as {
    Agent: new (options: object) => object;
    run(agent: object, input: string, options: object): Promise<{ finalOutput?: string }>;
  };
  const agent = new sdk.Agent({ name: 'lead', instructions: 'Be brief.', model: 'gpt-4o' });
  return async (prompt, signal) => (await sdk.run(agent, prompt, { signal })).finalOutput ?? '';
}
