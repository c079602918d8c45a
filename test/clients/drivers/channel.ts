// Claude Code as a person starts it: at a terminal, with our server as its channel. `script` gives it the terminal. The
// dialogs of its start are answered with Enter, as a person does who has read them. Where it says that it has no
// channels, which depends on a switch of its maker's, this ends with UNAVAILABLE.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { UNAVAILABLE } from '../client.ts';

const LAUNCHER = resolve(import.meta.dirname, '../../../bin/earshot.js');
const SCREEN_CHARS = 20_000;
const { EARSHOT_HTTP = '', EARSHOT_TOKEN = '' } = process.env;

const server = {
  command: process.execPath,
  args: [LAUNCHER, 'mcp', '--agent', 'lead', '--channel'],
  env: { EARSHOT_URL: EARSHOT_HTTP, EARSHOT_TOKEN },
};
const config = JSON.stringify({ mcpServers: { chat: server } });
const words = ['claude', '--mcp-config', config, '--dangerously-load-development-channels', 'server:chat'];
const command = [...words, '--permission-mode', 'default', '--allowedTools', 'mcp__chat']
  .map((word) => `'${word}'`)
  .join(' ');
const terminal = spawn('script', ['-qfec', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });

/** Each dialog is answered once. A terminal moves its cursor in place of writing spaces, so there are none here. */
const DIALOGS = [/trustthisfolder/i, /localdevelopment/i, /PressEntertocontinue/i];
const NO_CHANNELS = /Channelsarenot(?:currently)?available/;
const answered = new Set<RegExp>();
let screen = '';
terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
  screen = (screen + stripVTControlCharacters(text).replaceAll(/\s+/g, '')).slice(-SCREEN_CHARS);
  for (const dialog of DIALOGS) {
    if (answered.has(dialog) || !dialog.test(screen)) continue;
    answered.add(dialog);
    terminal.stdin.write('\r');
  }
  if (!NO_CHANNELS.test(screen)) return;
  console.error(screen.slice(-300));
  terminal.kill();
  process.exit(UNAVAILABLE);
});
terminal.once('exit', (code) => process.exit(code ?? 1));
