// `claude -p` that wants to run a command, as Claude Code 2.1 was seen to: it starts the servers of `--mcp-config` with
// its own environment, offers its model every tool of theirs but the one that asks, calls that one, and prints what the
// model says at the end. What the model said before it asked is not part of the result.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

interface Server {
  command: string;
  args: string[];
}

const [, folder = '', ...args] = process.argv.slice(2);
const prompt = readFileSync(0, 'utf8');
const file = /!touch (\w+)/.exec(prompt.slice(prompt.lastIndexOf('\nMESSAGE')))?.[1] ?? 'made';
const after = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
const asks = args.includes('--permission-prompt-tool');
appendFileSync(join(folder, 'args'), `${JSON.stringify(args)}\n`);

const verdict = asks ? await ask() : { behavior: 'deny', message: 'nobody can be asked' };
if (verdict.behavior === 'allow') writeFileSync(join(folder, file), '');
const result = verdict.behavior === 'allow' ? `${file} is made.` : `I may not: ${verdict.message}`;
process.stdout.write(
  `${JSON.stringify({ type: 'result', is_error: false, result, session_id: 'one', usage: {} })}\n`,
);

async function ask(): Promise<{ behavior: string; message?: string }> {
  const [, name = '', tool = ''] = after('--permission-prompt-tool').split('__');
  const { mcpServers } = JSON.parse(after('--mcp-config')) as { mcpServers: Record<string, Server> };
  const server = mcpServers[name];
  if (server === undefined) throw new Error(`no server ${name}`);
  const client = new Client({ name: 'claude-code', version: '2.1.326' });
  const env = process.env as Record<string, string>;
  await client.connect(new StdioClientTransport({ ...server, env, stderr: 'inherit' }));
  const { tools } = await client.listTools();
  writeFileSync(join(folder, 'tools'), JSON.stringify(tools.map((one) => one.name)));
  const input = { command: `touch ${file}`, description: 'Make a file' };
  const asked = { tool_name: 'Bash', input, tool_use_id: 'toolu_1' };
  const { content } = await client.callTool({ name: tool, arguments: asked });
  await client.close();
  const [first] = content as { text?: string }[];
  return JSON.parse(first?.text ?? '') as { behavior: string; message?: string };
}
