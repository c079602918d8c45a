import { expect, it } from 'vitest';
import { editYaml } from './settings-edit.ts';
import { withoutSecrets, withSecrets } from './settings-secrets.ts';

const TEXT = `# Ours.
agents:
  # The first.
  - id: lead # at home
    budget:
      turnsPerDay: 5
  - id: builder
    lead: lead
`;

it('an edit changes its key and keeps comments and order', () => {
  expect(editYaml(TEXT, [{ op: 'set', path: ['agents', 0, 'roles'], value: ['oncall', 'night'] }])).toBe(
    TEXT.replace('      turnsPerDay: 5\n', '      turnsPerDay: 5\n    roles: [oncall, night]\n'),
  );
  expect(editYaml(TEXT, [{ op: 'remove', path: ['agents', 1] }])).toBe(
    TEXT.slice(0, TEXT.indexOf('  - id: builder')),
  );
});

it('what is empty after a removal goes too, and what is missing is made', () => {
  expect(editYaml(TEXT, [{ op: 'remove', path: ['agents', 0, 'budget', 'turnsPerDay'] }])).toBe(
    TEXT.replace('    budget:\n      turnsPerDay: 5\n', ''),
  );
  const made = editYaml(TEXT, [
    { op: 'add', path: ['agents'], value: { id: 'nova', roles: ['oncall'] } },
    { op: 'add', path: ['host', 'webhooks'], value: { agent: 'nova', url: 'http://x', secret: 'whsec_1' } },
    { op: 'remove', path: ['limits', 'composeMs'] },
  ]);
  expect(made).toBe(
    `${TEXT}  - id: nova\n    roles: [oncall]\nhost:\n  webhooks:\n    - agent: nova\n      url: http://x\n      secret: whsec_1\n`,
  );
});

it('an entry is put before another, which keeps its comment', () => {
  const rules = `${TEXT}conversations:\n  # The rest.\n  - match: "*" # all\n    mode: follow\n`;
  const made = editYaml(rules, [
    {
      op: 'add',
      path: ['conversations'],
      value: { match: 'a/b/c', attention: { lead: 'quiet' } },
      before: 0,
    },
    { op: 'set', path: ['conversations', 0, 'attention'], value: { lead: 20 } },
  ]);
  expect(made).toContain('  - match: a/b/c\n    attention:\n      lead: 20\n');
  expect(made).toContain('- match: "*" # all\n    mode: follow\n');
  expect(made.indexOf('a/b/c')).toBeLessThan(made.indexOf('"*"'));
  expect(made).toContain('# The rest.');
});

it('a text that is no YAML is refused', () => {
  expect(() => editYaml('agents: [', [{ op: 'remove', path: ['owner'] }])).toThrow('not valid YAML');
});

const SECRETS = `host:
  sources:
    - { id: bridge, secret: "whsec_one" }
  webhooks:
    - agent: nova
      secret: whsec_two # never shown
`;

it('secrets are cut out, and put back by whose they are', () => {
  const shown = withoutSecrets(SECRETS);
  expect(shown).toBe(SECRETS.replace('"whsec_one"', 'kept').replace('whsec_two', 'kept'));
  expect(withSecrets(shown, SECRETS)).toBe(SECRETS.replaceAll('"', ''));
  const renamed = shown.replace('agent: nova', 'agent: other');
  expect(withSecrets(renamed, SECRETS)).toContain('secret: kept # never shown');
  expect(withoutSecrets('agents: [')).toBe('agents: [');
});
