// Which agents a report is about: those of a configuration, those named on the command line, or the apps that people in
// the export called. An app of the same name is taken for the agent, so that what it said and what was said to it count.
import { type AttentionSettings, attentionSettingsSchema } from '../../attention/settings.ts';
import { AGENT_ID_CHARS } from '../../protocol/identity.ts';
import { CommandError } from '../io.ts';
import type { App } from './apps.ts';

export interface ChosenAgents {
  settings: AttentionSettings;
  /** How they were chosen, in sentences. */
  notes: string[];
}

/** Without a word from the user, at most so many apps become agents. */
const GUESSED_AGENTS = 3;
const STAND_IN = 'assistant';

export function chooseAgents(
  apps: readonly App[],
  names: readonly string[],
  config: { settings: AttentionSettings; file: string } | undefined,
): ChosenAgents {
  if (names.length > 0) return named(apps, names);
  if (config !== undefined) return configured(apps, config);
  const called = apps.filter(({ calls }) => calls > 0).slice(0, GUESSED_AGENTS);
  if (called.length > 0) {
    return {
      settings: settingsOf(called.map((app) => ({ name: app.name, app }))),
      notes: [
        `No configuration names agents, so the apps that people called most are taken: ${called.map(({ name }) => name).join(', ')}. Choose with --agent NAME or --config FILE.`,
      ],
    };
  }
  return {
    settings: settingsOf([{ name: STAND_IN, app: undefined }]),
    notes: [
      `Nobody calls an app in this export, so a stand-in named ${STAND_IN} is in every channel. Name yours with --agent NAME, or write --config FILE.`,
    ],
  };
}

function named(apps: readonly App[], names: readonly string[]): ChosenAgents {
  const chosen = names.map((name) => ({ name: name.replace(/^@/, ''), app: appNamed(apps, [name]) }));
  return {
    settings: settingsOf(chosen),
    notes: chosen.map(({ name, app }) =>
      app === undefined
        ? `${name} is no app of this export: it is taken for a new agent, in every channel, that has said nothing yet.`
        : `${name} is the app ${app.name} (${app.id}).`,
    ),
  };
}

function configured(
  apps: readonly App[],
  { settings, file }: { settings: AttentionSettings; file: string },
): ChosenAgents {
  const notes = [`The agents and rules are those of ${file}.`];
  const known = new Set(apps.map(({ id }) => id));
  const agents = settings.agents.map((agent) => {
    if (agent.accounts.some((account) => known.has(account))) return agent;
    const app = appNamed(apps, [agent.id, agent.name ?? '', ...agent.aliases]);
    if (app === undefined) {
      notes.push(`${agent.id} is no app of this export: it has said nothing yet.`);
      return agent;
    }
    notes.push(`${agent.id} is taken for the app ${app.name} (${app.id}), because of its name.`);
    return { ...agent, accounts: [...agent.accounts, app.id] };
  });
  return { settings: { ...settings, agents }, notes };
}

function appNamed(apps: readonly App[], names: readonly string[]): App | undefined {
  const wanted = new Set(names.map(plainName).filter((name) => name !== ''));
  return apps.find(({ id, name }) => names.includes(id) || wanted.has(plainName(name)));
}

function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^@/, '')
    .replaceAll(/[\s_.-]+/g, '');
}

function settingsOf(chosen: readonly { name: string; app: App | undefined }[]): AttentionSettings {
  const ids = new Set<string>();
  const agents = chosen.map(({ name, app }, index) => {
    const plain = idOf(app?.name ?? name) || `agent-${index + 1}`;
    const id = ids.has(plain) ? `${plain}-${index + 1}` : plain;
    ids.add(id);
    const shown = (app?.name ?? name).slice(0, 128);
    return { id, ...(shown !== id && { name: shown }), accounts: app === undefined ? [] : [app.id] };
  });
  const parsed = attentionSettingsSchema.safeParse({ agents });
  if (parsed.success) return parsed.data;
  throw new CommandError(
    2,
    `--agent: ${parsed.error.issues[0]?.message ?? 'expected names'}; write a name such as lead`,
  );
}

/** A name as an agent's id: "Deploy Bot" is deploy-bot. Empty where no letter of it may stand in an id. */
function idOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replaceAll(/^[-_.]+|[-_.]+$/g, '')
    .slice(0, AGENT_ID_CHARS);
}
