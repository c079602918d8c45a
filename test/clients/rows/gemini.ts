// Gemini CLI and Qwen Code, which grew out of it: started once a turn, and over ACP.
import type { Client, Place } from '../client.ts';
import { writeFile } from './write-file.ts';

const gemini = {
  title: 'Gemini CLI',
  install: '@google/gemini-cli',
  env: ({ provider, key }: Place) => ({
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: provider,
    GEMINI_MODEL: 'gemini-2.5-flash',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
    GEMINI_TELEMETRY_ENABLED: 'false',
  }),
  prepare: ({ home }: Place) =>
    writeFile(home, '.gemini/settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true, maxAttempts: 1 },
      privacy: { usageStatisticsEnabled: false },
    }),
};

const qwen = {
  title: 'Qwen Code',
  install: '@qwen-code/qwen-code',
  env: ({ provider, key }: Place) => ({
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${provider}/v1`,
    OPENAI_MODEL: 'local-model',
  }),
  prepare: ({ home }: Place) =>
    writeFile(home, '.qwen/settings.json', {
      security: { auth: { selectedType: 'openai' } },
      general: { disableAutoUpdate: true },
      privacy: { usageStatisticsEnabled: false },
    }),
};

export const GEMINI_ROWS: readonly Client[] = [
  {
    ...gemini,
    name: 'gemini',
    way: '`--with gemini`',
    permission: 'refuses',
    argv: ({ work }) => ['--with', 'gemini', '--cwd', work],
  },
  {
    ...gemini,
    name: 'gemini-acp',
    way: 'ACP, `gemini --experimental-acp`',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'gemini', '--experimental-acp'],
  },
  {
    ...qwen,
    name: 'qwen',
    way: '`--with qwen`',
    permission: 'refuses',
    argv: ({ work }) => ['--with', 'qwen', '--cwd', work],
  },
  {
    ...qwen,
    name: 'qwen-acp',
    way: 'ACP, `qwen --acp`',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'qwen', '--acp', '--approval-mode', 'default'],
  },
];
