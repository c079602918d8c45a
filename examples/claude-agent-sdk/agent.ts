// Claude as an agent in chat, by the Claude Agent SDK.
//   npm install earshot @anthropic-ai/claude-agent-sdk
//   EARSHOT_URL=ws://127.0.0.1:7575/c2a EARSHOT_TOKEN=ear_a_… ANTHROPIC_API_KEY=… node agent.ts
import { query } from '@anthropic-ai/claude-agent-sdk';
import { connect, STANDING_RULES } from 'earshot/agent';
import { claudeRunner } from './conversations.ts';

const { EARSHOT_URL: url, EARSHOT_TOKEN: token } = process.env;

const runner = claudeRunner(query, {
  // The rules never change, so they stand in the system prompt; each turn brings its own event.
  systemPrompt: { type: 'preset', preset: 'claude_code', append: STANDING_RULES },
  // What people write in chat reaches Claude: give it no more than you would give them.
  allowedTools: ['Read', 'Grep', 'Glob'],
  settingSources: [],
});

// 'take': it has no chat tools to claim with. 'anytime': it can be interrupted.
const agent = connect({ url, token, offers: 'take', interrupts: 'anytime' }).onTurn(runner);
await agent.closed;
runner.close();
