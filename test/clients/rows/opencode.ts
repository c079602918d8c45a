// opencode, started once a turn, where it runs commands unasked, and over ACP, where its configuration makes it ask.
import type { Client, Place } from '../client.ts';
import { writeFile } from './write-file.ts';

const config = ({ provider, key }: Place): object => ({
  autoupdate: false,
  share: 'disabled',
  model: 'local/local-model',
  small_model: 'local/local-model',
  provider: {
    local: {
      npm: '@ai-sdk/openai-compatible',
      name: 'local',
      options: { baseURL: `${provider}/v1`, apiKey: key },
      models: { 'local-model': { name: 'local-model' } },
    },
  },
});

const opencode = {
  title: 'opencode',
  install: 'opencode-ai',
  finish: 'postinstall.mjs',
  env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
};

export const OPENCODE_ROWS: readonly Client[] = [
  {
    ...opencode,
    name: 'opencode',
    way: '`--with opencode`',
    permission: 'unasked',
    argv: ({ work }) => ['--with', 'opencode', '--cwd', work],
    prepare: (place) => writeFile(place.home, '.config/opencode/opencode.json', config(place)),
  },
  {
    ...opencode,
    name: 'opencode-acp',
    way: 'ACP, `opencode acp`',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'opencode', 'acp'],
    prepare: (place) =>
      writeFile(place.home, '.config/opencode/opencode.json', {
        ...config(place),
        permission: { bash: 'ask', edit: 'ask' },
      }),
  },
];
