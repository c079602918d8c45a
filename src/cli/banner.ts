// What `earshot up` prints when it is up: the address, what to paste, the data folder, the agents.
import type { AttentionSettings } from '../attention/settings.ts';
import type { Demo } from '../demo/start.ts';
import type { Paint } from '../runtime/terminal.ts';
import type { DevelopmentTokens } from './data-dir.ts';
import { DEMO_AGENTS } from './demo-config.ts';
import { PERSON } from './first-person.ts';

export interface BannerFacts {
  url: string;
  dataDir: string;
  /** The database, where the store is one. */
  store: string | undefined;
  configFile: string | undefined;
  attention: AttentionSettings;
  tokens: DevelopmentTokens | undefined;
  busyPort: number | undefined;
  demo: Pick<Demo, 'agents' | 'model' | 'modelProblem'> | undefined;
  /** How the other commands are typed here: `npx earshot`, and the flags that find this host. */
  commands: { name: string; flags: string };
}

export function banner(facts: BannerFacts, paint: Paint): string {
  const { url, dataDir, store, configFile, attention, tokens, busyPort, commands } = facts;
  const agents = attention.agents.map(({ id }) => id);
  const rows: [string, string][] = [
    ['data', dataDir],
    ...(store === undefined ? [] : [['store', store] satisfies [string, string]]),
    [
      'config',
      configFile ??
        `a demo, because there is no ./earshot.yaml here; "${commands.name} init" writes one with your own agents`,
    ],
    ['agents', agents.join(', ')],
    ...(facts.demo === undefined ? idleDemoRows(facts) : demoRows(facts.demo)),
  ];
  if (busyPort !== undefined) rows.push(['port', `${busyPort} was busy, so this is the next free one`]);
  const lines = rows.map(([name, text]) => `  ${paint('dim', name.padEnd(8))}${text}\n`).join('');
  const open = `${paint('bold', 'Earshot is up')}: open ${paint('green', pageLink(url, tokens))}\n`;
  return `${open}${lines}${trial(facts)}\nCtrl-C stops it.\n`;
}

/** The link signs in by itself. A browser never sends the part behind the # to a server. */
function pageLink(url: string, tokens: DevelopmentTokens | undefined): string {
  const { operator, people } = tokens ?? {};
  const person = people?.[PERSON];
  return operator === undefined || person === undefined
    ? url
    : `${url}/#person=${person}&operator=${operator}`;
}

/** The first change on the page writes a settings file, and from the next start on the demo's agents stay away. */
function idleDemoRows({ attention, commands, configFile }: BannerFacts): [string, string][] {
  const idle = attention.agents.flatMap(({ id }) => (DEMO_AGENTS.includes(id) ? [id] : []));
  if (configFile === undefined || idle.length === 0) return [];
  const start = commands.name.startsWith('npx') ? 'npm start --' : 'earshot up';
  return [['demo', `"${start} --demo" lets scripts play ${idle.join(', ')}`]];
}

function demoRows(demo: NonNullable<BannerFacts['demo']>): [string, string][] {
  if (demo.agents.length === 0)
    return [['demo', 'nobody plays: there are no development tokens for its agents']];
  const { agents, model, modelProblem } = demo;
  const scripts = agents.filter((agent) => model === undefined || agent !== 'lead').join(', ');
  if (model !== undefined) return [['demo', `${model} plays lead; scripts play ${scripts}`]];
  const hint =
    modelProblem === undefined
      ? 'set ANTHROPIC_API_KEY, OPENAI_API_KEY or EARSHOT_MODEL to have a model play lead'
      : `no model plays lead: ${modelProblem}`;
  return [['demo', `scripts play ${scripts}; ${hint}`]];
}

/** Lines that can be pasted into another terminal in the same folder. */
function trial({ commands, attention, tokens, demo }: BannerFacts): string {
  const [agent] = attention.agents;
  if (tokens?.people[PERSON] === undefined || agent === undefined) {
    return '\nTokens are yours: "earshot token create" makes them.\n';
  }
  const { name, flags } = commands;
  const rows = [
    ...(demo === undefined
      ? [[`run --agent ${agent.id}`, 'connect an agent: any program that reads a prompt', ' -- claude -p']]
      : []),
    [`say "@${agent.id} are you there?"`, 'say something, and read the answer'],
    ['tail', 'what happens, as it happens'],
    ['why last', 'why each agent was or was not woken by the last message'],
  ].map(([words, what, program = '']) => [`${name} ${words}${flags}${program}`, what] as const);
  const width = Math.max(...rows.map(([line]) => line.length));
  const lines = rows.map(([line, what]) => `  ${line.padEnd(width)}   ${what}\n`).join('');
  return `\nIn another terminal, in this folder:\n\n${lines}`;
}
