// Codex, started once a turn in its read-only sandbox, and as an ACP agent through its adapter, where it asks.
import type { Client, Place } from '../client.ts';
import { writeFile } from './write-file.ts';

function prepare({ home, provider }: Place, more = ''): void {
  const config = `model = "local-model"
model_provider = "local"
check_for_update_on_startup = false
${more}
[analytics]
enabled = false

[model_providers.local]
name = "local"
base_url = "${provider}/v1"
env_key = "LOCAL_PROVIDER_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`;
  writeFile(home, '.codex/config.toml', config);
}

const env = ({ key }: Place): Record<string, string> => ({ LOCAL_PROVIDER_KEY: key });

export const CODEX_ROWS: readonly Client[] = [
  {
    name: 'codex',
    title: 'Codex',
    way: '`--with codex`',
    install: '@openai/codex',
    permission: 'refuses',
    argv: ({ work }) => ['--with', 'codex', '--cwd', work],
    env,
    prepare: (place) => prepare(place),
  },
  {
    name: 'codex-acp',
    title: 'Codex',
    way: 'ACP, `codex-acp`',
    install: '@zed-industries/codex-acp',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'codex-acp'],
    env,
    prepare: (place) => prepare(place, 'approval_policy = "untrusted"\n'),
  },
];
