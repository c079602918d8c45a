// pi, and the AI SDK of the tree.
import type { Client } from '../client.ts';
import { writeFile } from './write-file.ts';

export const OTHER_ROWS: readonly Client[] = [
  {
    name: 'pi',
    title: 'pi',
    way: '`--with pi`',
    install: '@mariozechner/pi-coding-agent',
    permission: 'unasked',
    argv: ({ work }) => ['--with', 'pi', '--cwd', work, '--model', 'local/local-model'],
    env: () => ({ PI_OFFLINE: '1' }),
    prepare({ home, provider, key }) {
      const model = {
        id: 'local-model',
        name: 'local-model',
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 100_000,
        maxTokens: 1_000,
      };
      const local = { baseUrl: `${provider}/v1`, api: 'openai-completions', apiKey: key, models: [model] };
      writeFile(home, '.pi/agent/models.json', { providers: { local } });
    },
  },
  {
    name: 'ai-sdk',
    title: 'AI SDK',
    way: '`--model openai/…`',
    permission: 'none',
    argv: () => ['--model', 'openai/local-model'],
    env: ({ provider, key }) => ({ OPENAI_BASE_URL: `${provider}/v1`, OPENAI_API_KEY: key }),
  },
];
