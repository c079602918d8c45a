// docs/surfaces/slack.md: its configuration parses, and its manifest asks for what the surface uses.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseHostConfig } from '../../../src/cli/config.ts';
import { PEER_MAJORS } from '../../../src/runtime/manifest.ts';
import { manifestText } from '../../../src/surfaces/slack/manifest.ts';
import { MAX_CHARS } from '../../../src/surfaces/slack/write.ts';

const page = readFileSync('docs/surfaces/slack.md', 'utf8');
const blocks = [...page.matchAll(/^( *)```yaml\n(.*?)^ *```/gms)].map(([, indent = '', text = '']) =>
  text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);

it('shows configurations that are right', () => {
  const [, socket = '', http = '', logins = '', approvals = ''] = blocks;
  expect(parseHostConfig(socket, 'slack.md').surfaces).toMatchObject([{ type: 'slack', events: 'socket' }]);
  expect(parseHostConfig(http, 'slack.md').surfaces).toMatchObject([{ type: 'slack', events: 'http' }]);
  expect(parseHostConfig(approvals, 'slack.md').surfaces).toMatchObject([{ type: 'slack' }]);
  expect(parseHostConfig(logins, 'slack.md').surfaces).toMatchObject([{ logins: [{}, {}, {}] }]);
});

it('has the manifest that earshot add prints', () => {
  expect(parse(blocks[0] ?? '')).toEqual(parse(manifestText({ events: 'socket' })));
});

it('names the packages that fit, and the longest message', () => {
  for (const name of ['@slack/web-api', '@slack/socket-mode'] as const)
    expect(page).toContain(`${name}@${PEER_MAJORS[name]}`);
  expect(page).toContain(MAX_CHARS.toLocaleString('en'));
});
