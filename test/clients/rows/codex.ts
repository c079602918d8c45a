// Codex, started once a turn in its read-only sandbox.
import type { Client } from '../client.ts';
import { writeFile } from './write-file.ts';

export const CODEX_ROWS: readonly Client[] = [
  {
    name: 'codex',
    title: 'Codex',
    way: '`--with codex`',
    install: '@openai/codex',
    permission: 'refuses',
    argv: ({ work }) => ['--with', 'codex', '--cwd', work],
    env: ({ key }) => ({ LOCAL_PROVIDER_KEY: key }),
    prepare({ home, provider }) {
      writeFile(
        home,
        '.codex/config.toml',
        `model = "local-model"
model_provider = "local"
check_for_update_on_startup = false

[analytics]
enabled = false

[model_providers.local]
name = "local"
base_url = "${provider}/v1"
env_key = "LOCAL_PROVIDER_KEY"
wire_api = "responses"
request_max_retries = 1
stream_max_retries = 1
`,
      );
    },
  },
];
