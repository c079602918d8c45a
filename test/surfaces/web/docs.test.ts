import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseHostConfig } from '../../../src/cli/config.ts';
import { WEB_RATES } from '../../../src/host/web-chat/serve.ts';
import { WEB_CHAT_LIMITS } from '../../../src/protocol/web-chat.ts';
import { earshot } from '../../replay/fake-io.ts';
import { childEnv } from '../../server/up.ts';
import { signIn } from './tab.ts';
import { team } from './team.ts';

const MIB = 1_048_576;
const text = readFileSync('docs/surfaces/web.md', 'utf8');
const block = (kind: string): string => new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``).exec(text)?.[1] ?? '';

describe('docs/surfaces/web.md', () => {
  it('has a client that works as it stands', async () => {
    const room = await team();
    const { token } = await room.token('ada', 'Ada');
    const child = spawn(process.execPath, ['--input-type=module', '-e', block('js')], {
      env: childEnv({ EARSHOT_URL: room.host.url, EARSHOT_TOKEN: token }),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const said = await new Promise<string>((resolve) => {
      let out = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        out += part;
        if (out.includes('\n')) resolve(out);
      });
    });
    expect(said).toBe('Ada: hello\n');
  });

  it('makes people with the command it names', async () => {
    const room = await team();
    const lines = [...text.matchAll(/^earshot (invite .*)$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      const argv = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
      const made = await earshot([...argv, '--data', room.host.data]);
      expect(made.code).toBe(0);
      const token = /#person=(\S+)/.exec(made.out)?.[1] ?? '';
      const { hello } = await signIn(room.host.url, token);
      // The label, or the name itself.
      expect(hello.me.name).toBe(argv.at(-1));
    }
  });

  it('has settings that are settings, and the bounds that hold', () => {
    expect(parseHostConfig(block('yaml'), 'web.md').attention.agents[0]?.id).toBe('lead');
    const bounds = [
      `${WEB_CHAT_LIMITS.textChars.toLocaleString('en')} characters`,
      `${WEB_RATES.writes.perMinute} acts a minute, bursts of ${WEB_RATES.writes.burst}`,
      `${WEB_RATES.searches.perMinute} searches a minute, bursts of ${WEB_RATES.searches.burst}`,
      `${WEB_CHAT_LIMITS.files} files a message, ${WEB_CHAT_LIMITS.fileBytes / MIB} MiB each, ${WEB_CHAT_LIMITS.filesBytes / MIB} MiB together`,
      `${WEB_CHAT_LIMITS.uploadMs / 60_000} minutes between an upload and its message`,
      `${WEB_CHAT_LIMITS.uploadsBytes / MIB} MiB of uploads of one person that wait, ${WEB_CHAT_LIMITS.allUploadsBytes / MIB} MiB of all`,
      `${WEB_RATES.uploads.perMinute} uploads a minute, bursts of ${WEB_RATES.uploads.burst}`,
      `${WEB_CHAT_LIMITS.resumeRows} things missed`,
      `${WEB_CHAT_LIMITS.silentMs / 1_000} s without a word`,
    ];
    for (const bound of bounds) expect(text).toContain(bound);
  });
});
