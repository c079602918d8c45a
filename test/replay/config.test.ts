// Wrong config is told with the line, the key, what was expected and what to write instead.
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { attentionSettingsSchema } from '../../src/attention/settings.ts';
import { keysAt } from '../../src/cli/complaint.ts';
import { CONFIG_EXAMPLES, MINIMAL_CONFIG } from '../../src/cli/config-examples.ts';
import { parseConfig } from '../../src/cli/config.ts';
import { EXAMPLE, EXAMPLE_CONFIG, earshot, file } from './fake-io.ts';

const agent = 'agents:\n  - id: lead\n';

describe('a wrong config says', () => {
  it.each<[string, string, string]>([
    [
      'the nearest key',
      `${agent}    stickines: exchange\n`,
      'c.yaml:3: agents[0].stickines: unknown key; did you mean "stickiness"? write: stickiness: exchange',
    ],
    [
      'the nearest section',
      `agnets: []\n`,
      'c.yaml:1: agnets: unknown key; did you mean "agents"? write: agents: [{ id: lead }]',
    ],
    [
      'all sections when none is near',
      `${agent}zzz: 1\n`,
      'c.yaml:3: zzz: unknown key; known are preset, agents, conversations, groups, limits, owner, host, surfaces',
    ],
    [
      'a list',
      `${agent}    aliases: boss\n`,
      'c.yaml:3: agents[0].aliases: expected a list; write: aliases: [boss]',
    ],
    [
      'the words allowed',
      `preset: typclaw\n${agent}`,
      'c.yaml:1: preset: expected one of "default", "typeclaw"; did you mean "typeclaw"?',
    ],
    [
      'what is missing, at what it is missing from',
      'agents:\n  - id: a\n  - name: B\n',
      'c.yaml:3: agents[1].id: expected text, but it is missing; write: id: lead',
    ],
    [
      'true or false',
      `${agent}    triggers: { dm: maybe }\n`,
      'c.yaml:3: agents[0].triggers.dm: expected true or false; write: dm: true',
    ],
    [
      'a number',
      `${agent}limits:\n  composeMs: soon\n`,
      'c.yaml:4: limits.composeMs: expected a number; write: composeMs: 2000',
    ],
    [
      'a limit',
      `${agent}limits:\n  owesMessages: 0\n`,
      'c.yaml:4: limits.owesMessages: expected more than 0; write: owesMessages: 20',
    ],
    ['a name that is used twice', `${agent}  - id: lead\n`, 'c.yaml:3: agents[1].id: "lead" is used twice'],
    [
      'a lead that does not exist',
      `${agent}    lead: boss\n`,
      'c.yaml:3: agents[0].lead: no agent has the id "boss"',
    ],
    [
      'a pattern of identities',
      `${agent}    ignore: [bob]\n`,
      'c.yaml:3: agents[0].ignore[0]: expected "*", "human:ID"',
    ],
    [
      'a conversation mode',
      `${agent}conversations:\n  - match: x\n    mode: folow\n`,
      'c.yaml:5: conversations[0].mode: expected one of "auto", "follow", "mention_only", "left"; did you mean "follow"?',
    ],
    ['broken YAML', 'agents:\n  - id: [\n', 'c.yaml:3: not valid YAML'],
    ['a key given twice', `${agent}${agent}`, 'c.yaml:3: not valid YAML: Map keys must be unique'],
    [
      'nothing there',
      '',
      `c.yaml: expected keys such as "agents:", but it is empty; write:\n${MINIMAL_CONFIG}`,
    ],
    ['no mapping', '- a\n', 'c.yaml: expected keys such as "agents:"'],
    [
      'no agents',
      'preset: default\n',
      `c.yaml: agents: none configured, so nobody would decide; write:\n${MINIMAL_CONFIG}`,
    ],
    ['binary', 'a\0b', 'c.yaml is no YAML text file'],
  ])('%s', (_, text, said) => {
    expect(() => parseConfig(text, 'c.yaml')).toThrow(said);
  });

  it('several things at once, one a line', () => {
    const text = `${agent}    stickines: x\n    aliases: 3\n`;
    expect(() => parseConfig(text, 'c.yaml')).toThrow(/c\.yaml:4: .*\nc\.yaml:3: /);
  });
});

describe('a right config', () => {
  it('may have the sections of other parts', () => {
    expect(parseConfig(`${agent}host: { port: 1 }\nsurfaces: []\n`, 'c.yaml').agents[0]?.id).toBe('lead');
  });

  it('is what the minimal one and the example are', async () => {
    expect(parseConfig(MINIMAL_CONFIG, 'c.yaml').agents).toHaveLength(1);
    expect((await earshot(['replay', EXAMPLE, '--config', EXAMPLE_CONFIG])).code).toBe(0);
  });
});

describe('what to write instead', () => {
  const paths = ['', 'agents.', 'agents.owns.', 'agents.triggers.', 'conversations.', 'limits.'].flatMap(
    (above) => keysAt(attentionSettingsSchema, schemaPath(above)).map((key) => `${above}${key}`),
  );

  it('is there for every key of the schema, and for no other', () => {
    expect(Object.keys(CONFIG_EXAMPLES).toSorted()).toEqual(paths.toSorted());
  });

  it.each(Object.entries(CONFIG_EXAMPLES))('is right for %s', (path, example) => {
    const names = path.split('.').slice(0, -1);
    const inner = parse(example) as Record<string, unknown>;
    const value = names.reduceRight<unknown>((below, name) => ({ [name]: inList(name, below) }), inner);
    const merged = { agents: [{ id: 'lead' }], ...(value as object) };
    expect(attentionSettingsSchema.safeParse(merged).error?.issues).toBeUndefined();
  });
});

function schemaPath(above: string): PropertyKey[] {
  return above.split('.').flatMap((name): PropertyKey[] => {
    if (name === '') return [];
    return name === 'agents' || name === 'conversations' ? [name, 0] : [name];
  });
}

function inList(name: string, below: unknown): unknown {
  if (name === 'agents') return [{ id: 'lead', ...(below as object) }];
  return name === 'conversations' ? [{ match: 'x', ...(below as object) }] : below;
}

describe('the config file', () => {
  it.each<[string, () => string, string]>([
    ['missing', () => '/nowhere/e.yaml', '/nowhere/e.yaml: no such file; a minimal one is:\nagents:'],
    ['a directory', () => 'examples', 'examples is a directory'],
  ])('is told when it is %s', async (_, path, said) => {
    const { code, err } = await earshot(['replay', EXAMPLE, '--config', path()]);
    expect(code).toBe(1);
    expect(err).toContain(said);
  });

  it('is checked for --against too', async () => {
    const bad = file('agents: 3\n', '.yaml');
    const { code, err } = await earshot(['replay', EXAMPLE, '--config', EXAMPLE_CONFIG, '--against', bad]);
    expect(code).toBe(1);
    expect(err).toContain(`${bad}:1: agents: expected a list`);
  });
});
