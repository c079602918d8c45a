// goose, started once a turn, where its mode runs commands unasked, and over ACP, where another mode makes it ask. Its
// package on npm holds the program of one platform.
import type { Client, Place } from '../client.ts';
import { writeFile } from './write-file.ts';

const env = ({ provider, key }: Place): Record<string, string> => ({
  GOOSE_PROVIDER: 'openai',
  GOOSE_MODEL: 'local-model',
  OPENAI_HOST: provider,
  OPENAI_BASE_PATH: 'v1/chat/completions',
  OPENAI_API_KEY: key,
  GOOSE_DISABLE_KEYRING: '1',
  GOOSE_TELEMETRY_ENABLED: 'false',
});

const goose = {
  title: 'goose',
  install: `@aaif/goose-binary-${process.platform}-${process.arch}`,
  programs: 'bin',
  prepare: ({ home }: Place) =>
    writeFile(home, '.config/goose/config.yaml', 'GOOSE_TELEMETRY_ENABLED: false\n'),
};

export const GOOSE_ROWS: readonly Client[] = [
  {
    ...goose,
    name: 'goose',
    way: '`--with goose`',
    permission: 'unasked',
    argv: ({ work }) => ['--with', 'goose', '--cwd', work],
    env,
  },
  {
    ...goose,
    name: 'goose-acp',
    way: 'ACP, `goose acp`',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'goose', 'acp', '--with-builtin', 'developer'],
    env: (place) => ({ ...env(place), GOOSE_MODE: 'approve' }),
  },
];
