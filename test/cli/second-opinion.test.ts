// The second opinion of `earshot up`, from its settings to a provider on this machine: asked once where attention is unsure
// and enough has been decided, and its verdict is a record. Without the setting nobody is asked.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startProvider } from '../runners/provider/server.ts';
import { upHere } from '../server/here.ts';
import { folder, type Listening } from '../server/up.ts';
import { WEIGHED_LINE, WEIGHED_SETTINGS, weighedLines } from '../server/weighed-lines.ts';

/** At most one decision in a hundred is asked about. Each round decides five lines. */
const ROUNDS = 30;

async function talked(settings: (url: string) => string) {
  const provider = await startProvider(() => 'No.');
  onTestFinished(() => provider.close());
  const data = folder();
  writeFileSync(join(data, 'earshot.yaml'), WEIGHED_SETTINGS + settings(provider.openaiUrl));
  const host = await upHere({ data, env: { EARSHOT_MODEL_KEY: provider.key } });
  await weighedLines(host, ROUNDS);
  return { provider, host };
}

const verdicts = async (host: Listening): Promise<string> =>
  (await host.call('GET', '/v1/log?type=opinion', host.tokens.operator)).text;

it('asks the model of the settings, and keeps what it says', async () => {
  const { provider, host } = await talked((url) => `host:\n  secondOpinion:\n    model: ${url}#small\n`);
  await vi.waitFor(async () => expect(await verdicts(host)).toContain('not_for'), { timeout: 60_000 });
  expect(provider.requests).toHaveLength(1);
  expect(JSON.stringify(provider.requests)).toContain(WEIGHED_LINE);
});

it('asks nobody without the setting', async () => {
  const { provider, host } = await talked(() => '');
  expect(provider.requests).toEqual([]);
  expect(await verdicts(host)).not.toContain('not_for');
});
