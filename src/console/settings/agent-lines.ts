// How an agent can be run, and the exact line or lines to copy for each way, with its address and token.

export const WAYS = ['program', 'command', 'model', 'acp', 'sdk', 'mcp', 'webhook'] as const;
export type Way = (typeof WAYS)[number];

export const WAY_TITLES: Record<Way, string> = {
  program: 'A known program (Claude Code, Codex, Gemini, …)',
  command: 'A command of your own, once a turn',
  model: 'A model, with the chat tools',
  acp: 'An ACP agent',
  sdk: 'Code with the agent SDK',
  mcp: 'An MCP client that asks by itself',
  webhook: 'A webhook that Earshot posts to',
};

export interface LineFor {
  agent: string;
  token: string;
  /** The address of the host, as the browser knows it. */
  origin: string;
}

/** What to copy. A webhook needs no line: its address is in the settings. */
export function linesFor(way: Way, { agent, token, origin }: LineFor): string {
  const run = `EARSHOT_URL=${origin} EARSHOT_TOKEN=${token} npx earshot run --agent ${agent}`;
  switch (way) {
    case 'program':
      return `${run} --with claude`;
    case 'command':
      // Runs as it is. Your own program goes in the place of what follows the two dashes.
      return `${run} -- sh -c 'echo "I read $(wc -c) characters."'`;
    case 'model':
      return `ANTHROPIC_API_KEY=… ${run} --model anthropic/claude-sonnet-5-5`;
    case 'acp':
      return `${run} --acp -- gemini --acp`;
    case 'sdk':
      return `// ${agent}.mjs, run with:
//   EARSHOT_URL=${socketAddress(origin)} EARSHOT_TOKEN=${token} node ${agent}.mjs
import { connect } from 'earshot/agent';

const agent = connect({ url: process.env.EARSHOT_URL, token: process.env.EARSHOT_TOKEN });
agent.onTurn(async (turn) => \`I read \${turn.prompt.length} characters.\`);`;
    case 'mcp':
      return JSON.stringify(
        {
          mcpServers: {
            chat: { type: 'http', url: `${origin}/mcp`, headers: { Authorization: `Bearer ${token}` } },
          },
        },
        null,
        2,
      );
    case 'webhook':
      return '';
  }
}

function socketAddress(origin: string): string {
  return `${origin.replace(/^http/, 'ws')}/c2a`;
}

const SECRET_BYTES = 24;

/** What deliveries to a new webhook are signed with. */
export function newWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}
