// docs/surfaces/source.md: its configuration parses, and its questions are what the host asks.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseHostConfig } from '../../src/cli/config.ts';
import { hostSettingsSchema } from '../../src/host/kernel/settings.ts';
import { typingBody } from '../../src/protocol/outbound-body.ts';
import { READ_ATTACHMENT_LIMITS } from '../../src/protocol/read-tools.ts';
import { amendmentBody } from '../../src/protocol/outbound-body.ts';

const page = readFileSync('docs/surfaces/source.md', 'utf8');
const block = (language: string) =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, text = '']) => text);
const { limits } = hostSettingsSchema.parse({});

it('shows a configuration that parses', () => {
  const [source] = parseHostConfig(block('yaml')[0] ?? '', 'source.md').host.sources;
  expect(Object.keys(source ?? {})).toEqual(
    expect.arrayContaining(['url', 'attachmentsUrl', 'historyUrl', 'secret']),
  );
});

it('shows an edit as it is posted', () => {
  const [edit] = block('json').map((text) => JSON.parse(text) as Record<string, unknown>);
  const { targetEventId, ...rest } = edit ?? {};
  const target = { eventId: 'out_1', idempotencyKey: 'lead:k', platformIds: [String(targetEventId)] };
  expect(edit).toEqual(amendmentBody({ ...rest, mentions: [], createdAt: 0, target }));
});

it('shows the questions with the limits that hold', () => {
  const [, attachment, history, sign] = block('json').map(
    (text) => JSON.parse(text) as Record<string, unknown>,
  );
  expect(attachment).toMatchObject({ type: 'attachment', maxBytes: limits.attachmentBytes });
  expect(history).toMatchObject({ type: 'history', limit: limits.historyEvents });
  const { place, agent, typing } = sign as { place: object; agent: string; typing: boolean };
  expect(sign).toEqual(typingBody(place, agent, typing));
  expect(page).toContain(`${READ_ATTACHMENT_LIMITS.textChars.toLocaleString('en')} characters`);
  expect(page).toContain(`\`historyTimeoutMs\` (${limits.historyTimeoutMs / 1_000} s)`);
  expect(page).toMatch(new RegExp(`attachmentTimeoutMs\`\\s*\\| ${limits.attachmentTimeoutMs / 1_000} s`));
});
