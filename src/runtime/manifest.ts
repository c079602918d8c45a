// Written by scripts/write-manifest.ts from package.json: change it there. Holds what code needs to know of it.

export const VERSION = '0.1.0';

/** The major version of each optional peer that this version works with. */
export const PEER_MAJORS = {
  '@agentclientprotocol/sdk': 2,
  '@ai-sdk/anthropic': 4,
  '@ai-sdk/openai-compatible': 3,
  '@modelcontextprotocol/node': 2,
  '@modelcontextprotocol/server': 2,
  '@octokit/auth-app': 8,
  '@octokit/core': 7,
  '@slack/socket-mode': 3,
  '@slack/web-api': 8,
  ai: 7,
  pg: 8,
} as const;
