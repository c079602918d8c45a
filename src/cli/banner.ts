// What `earshot up` prints when it is up: the address, what to paste, the data folder, the agents.
import type { AttentionSettings } from '../attention/settings.ts';
import type { Demo } from '../demo/start.ts';
import type { Paint } from '../runtime/terminal.ts';
import type { DevelopmentTokens } from './data-dir.ts';
import { DEV_SOURCE } from './surfaces.ts';

export interface BannerFacts {
  url: string;
  dataDir: string;
  configFile: string | undefined;
  attention: AttentionSettings;
  tokens: DevelopmentTokens | undefined;
  busyPort: number | undefined;
  demo: Pick<Demo, 'agents' | 'model' | 'modelProblem'> | undefined;
}

export function banner(facts: BannerFacts, paint: Paint): string {
  const { url, dataDir, configFile, attention, tokens, busyPort } = facts;
  const agents = attention.agents.map(({ id }) => id);
  const rows: [string, string][] = [
    ['data', dataDir],
    [
      'config',
      configFile ??
        'a demo, because there is no ./earshot.yaml here: write one (earshot init) to have your own agents',
    ],
    ['agents', agents.join(', ')],
    ...demoRows(facts.demo),
  ];
  if (busyPort !== undefined) rows.push(['port', `${busyPort} was busy, so this is the next free one`]);
  const lines = rows.map(([name, text]) => `  ${paint('dim', name.padEnd(8))}${text}\n`).join('');
  const open = `${paint('bold', 'Earshot is up')}: open ${paint('green', pageLink(url, tokens))}\n`;
  return `${open}${lines}${trial(url, agents[0], tokens)}\nCtrl-C stops it.\n`;
}

/** The link signs in by itself. A browser never sends the part behind the # to a server. */
function pageLink(url: string, tokens: DevelopmentTokens | undefined): string {
  const { operator, people } = tokens ?? {};
  const person = people?.['you'];
  return operator === undefined || person === undefined
    ? url
    : `${url}/#person=${person}&operator=${operator}`;
}

function demoRows(demo: BannerFacts['demo']): [string, string][] {
  if (demo === undefined) return [];
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

function trial(url: string, agent: string | undefined, tokens: DevelopmentTokens | undefined): string {
  const token = tokens?.surfaces[DEV_SOURCE];
  if (token === undefined || agent === undefined) {
    return '\nTokens are yours: "earshot token create" makes them.\n';
  }
  return `
Say something (paste this):

${curlLine(url, token, agent)}

Then:  earshot tail             what happens, as it happens
       earshot why EVENT_ID     why an agent was or was not woken
       earshot say "@${agent} hi"   the same as the line above, shorter
`;
}

/** The command makes a new event each time it is pasted. */
export function curlLine(url: string, token: string, agent: string): string {
  const event = {
    eventId: 'hello-TIME',
    at: 'MILLIS',
    platform: 'dev',
    workspaceId: 'local',
    conversation: { id: 'general', kind: 'channel' },
    author: { id: 'you', kind: 'human', displayName: 'You' },
    type: 'message',
    text: `@${agent} are you there?`,
  };
  const json = JSON.stringify(event).replace('TIME', `'$(date +%s)'`).replace('"MILLIS"', `'$(date +%s)'000`);
  return `curl -s ${url}/v1/events -H 'authorization: Bearer ${token}' -H 'content-type: application/json' -d '${json}'`;
}
