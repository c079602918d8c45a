// Claude as an agent in chat, by the Claude Agent SDK.
//   npm install earshot @anthropic-ai/claude-agent-sdk
//   EARSHOT_URL=ws://127.0.0.1:7575/c2a EARSHOT_TOKEN=ear_a_… ANTHROPIC_API_KEY=… node agent.ts
import { query } from '@anthropic-ai/claude-agent-sdk';
import { connect } from 'earshot/agent';
import { claudeRunner } from './conversations.ts';

const { EARSHOT_URL: url, EARSHOT_TOKEN: token } = process.env;

const runner = claudeRunner(query, {
  systemPrompt: { type: 'preset', preset: 'claude_code' },
  // What people write in chat reaches Claude: give it no more than you would give them.
  allowedTools: ['Read', 'Grep', 'Glob'],
  settingSources: [],
});

// It has no chat tools, so the prompt names none and offers are claimed for it. 'anytime': it can be interrupted.
const options = { modelTools: false, offers: 'take', interrupts: 'anytime' } as const;
const agent = connect({ url, token, ...options }).onTurn(runner);
await agent.closed;
runner.close();
