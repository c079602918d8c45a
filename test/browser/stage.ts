// A host on which something of everything happens: agents that answer, work, fail and are away, a person who may not
// speak to one, an answer that needs a yes. For tests that look at every view.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { connect, type Turn } from '../../src/agent/index.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening } from '../server/up.ts';

const CONFIG = `agents:
  - id: lead
    name: Lead
  - id: builder
    name: Builder
    lead: lead
    roles: [oncall]
  - id: reviewer
    name: Reviewer
    roles: [oncall]
  - id: guard
    respondTo: ["human:boss"]
host:
  sensitive: [{ reason: releases, words: [ship] }]
limits:
  composeMs: 50
`;

export async function stage(): Promise<Listening> {
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), CONFIG);
  const host = await upHere({ data });
  act(host, 'lead', async (turn) => {
    if (/ship/.test(turn.text)) return 'I ship it now.';
    if (/rich/.test(turn.text)) return RICH_ANSWER;
    return 'The deploy is **not** blocked: the build is green since 14:02, and nobody holds the lock.';
  });
  act(host, 'builder', async (turn) => {
    if (/fail/.test(turn.text)) throw new Error('exit code 1: no space left on device');
    if (/give up/.test(turn.text)) throw Object.assign(new Error('no such branch'), { retryable: false });
    return untilAborted(turn);
  });
  return host;
}

/** Works for as long as the test looks. */
export async function untilAborted(turn: Turn): Promise<string> {
  await new Promise((resolve) => turn.signal.addEventListener('abort', resolve, { once: true }));
  return '';
}

const RICH_ANSWER = `## The state of things

The build is **green**, the deploy is _not_ blocked. See \`deploy.yaml\` and <https://example.org/runs/7>.

1. \`main\` is ahead by two commits
2. the lock is free
   - nobody holds it

> It was red until noon.

| check | state | minutes |
| ----- | ----- | ------: |
| build | green |       4 |
| tests | green |      11 |

\`\`\`ts
export function isBlocked(lock: Lock): boolean {
  return lock.holder !== undefined; // nobody
}
\`\`\`
`;

export function act(host: Listening, id: string, say: (turn: Turn) => Promise<string>): void {
  const agent = connect({
    url: `${host.url.replace('http', 'ws')}/c2a`,
    token: host.tokens.agents[id] ?? '',
    compose: { quietMs: 50 },
  });
  agent.onTurn(say);
  onTestFinished(() => agent.close());
}
