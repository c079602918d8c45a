// What people build agents with: a graph or an agent of a library behind Earshot's SDK, and plain MCP clients.
import type { Client, Place } from '../client.ts';

const openai = ({ provider, key }: Place): Record<string, string> => ({
  OPENAI_BASE_URL: `${provider}/v1`,
  OPENAI_API_KEY: key,
  OPENAI_AGENTS_DISABLE_TRACING: '1',
});

const mcp = {
  driver: 'mcp.ts',
  permission: 'none',
  env: ({ provider }: Place) => ({ MODEL_URL: provider }),
  onlyPulls: true,
} as const;

export const LIBRARY_ROWS: readonly Client[] = [
  {
    name: 'langgraph',
    title: 'LangGraph',
    way: "Earshot's SDK",
    install: '@langchain/langgraph',
    // Later ones ask for versions of their own parts that npm does not have.
    version: '1.4.17',
    beside: ['@langchain/openai', '@langchain/core@^1.2.13'],
    driver: 'example.ts',
    permission: 'none',
    argv: () => ['langgraph/agent.ts'],
    env: openai,
  },
  {
    name: 'openai-agents',
    title: 'OpenAI Agents SDK',
    way: "Earshot's SDK",
    install: '@openai/agents',
    driver: 'sdk.ts',
    permission: 'none',
    argv: () => [],
    env: openai,
  },
  {
    ...mcp,
    name: 'mcp-v1',
    title: 'MCP SDK 1',
    way: 'MCP over HTTP',
    install: '@modelcontextprotocol/sdk',
    argv: () => ['v1'],
  },
  {
    ...mcp,
    name: 'mcp-v2',
    title: 'MCP SDK 2',
    way: 'MCP over HTTP',
    argv: () => ['v2'],
  },
  {
    ...mcp,
    name: 'mcp-inspector',
    title: 'MCP inspector',
    way: 'MCP over HTTP, `--cli`',
    install: '@modelcontextprotocol/inspector',
    argv: () => ['inspector'],
  },
];
