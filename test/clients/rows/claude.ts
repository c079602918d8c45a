// Claude Code, started once a turn, and as an ACP agent through its adapter.
import type { Client, Place } from '../client.ts';
import { writeFile } from './write-file.ts';

const env = ({ provider, key }: Place): Record<string, string> => ({
  ANTHROPIC_BASE_URL: provider,
  ANTHROPIC_API_KEY: key,
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_AUTOUPDATER: '1',
});

export const CLAUDE_ROWS: readonly Client[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    way: '`--with claude`',
    install: '@anthropic-ai/claude-code',
    finish: 'install.cjs',
    permission: 'asks',
    argv: ({ work }) => ['--with', 'claude', '--cwd', work],
    env,
  },
  {
    name: 'claude-acp',
    title: 'Claude Code',
    way: 'ACP, `claude-agent-acp`',
    install: '@agentclientprotocol/claude-agent-acp',
    permission: 'asks',
    argv: ({ work }) => ['--acp', '--cwd', work, '--', 'claude-agent-acp'],
    env,
  },
  {
    name: 'claude-channel',
    title: 'Claude Code',
    way: 'MCP channel',
    install: '@anthropic-ai/claude-code',
    finish: 'install.cjs',
    driver: 'channel.ts',
    permission: 'asks',
    woken: true,
    unavailable: 'it turns channels on only after asking its maker',
    argv: () => [],
    env: (place) => ({ ...env(place), TERM: 'xterm-256color', CI: '' }),
    prepare({ home, work, key }) {
      const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
      writeFile(home, '.claude.json', {
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
        projects: { [work]: trusted },
      });
    },
  },
];
