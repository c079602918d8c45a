// Which agents a report is about: those of a configuration, those named on the command line, or the apps that people in
// the export called. An app of the same name is taken for the agent, so that what it said and what was said to it count.
import { accountAt } from '../../attention/accounts.ts';
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
/** Of one agent, as a configuration may have. */
const ACCOUNTS_MAX = 64;

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
      settings: settingsOf(called.map(({ id, name }) => ({ name, apps: appsNamed(apps, [id]) }))),
      notes: [
        `No configuration names agents, so the apps that people called most are taken: ${called.map(({ name }) => name).join(', ')}. Choose with --agent NAME or --config FILE.`,
      ],
    };
  }
  return {
    settings: settingsOf([{ name: STAND_IN, apps: [] }]),
    notes: [
      `Nobody calls an app in this export, so a stand-in named ${STAND_IN} is in every channel. Name yours with --agent NAME, or write --config FILE.`,
    ],
  };
}

function named(apps: readonly App[], names: readonly string[]): ChosenAgents {
  const chosen = names.map((name) => ({ name: name.replace(/^@/, ''), apps: appsNamed(apps, [name]) }));
  return {
    settings: settingsOf(chosen),
    notes: chosen.map(({ name, apps: [app] }) =>
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
  const agents = settings.agents.map((agent) => {
    const own = apps.find((app) => agent.accounts.some((account) => accountAt(account, app) === app.id));
    if (own !== undefined) {
      notes.push(`${agent.id} is the app ${own.name} (${own.id}).`);
      return agent;
    }
    const found = appsNamed(apps, [agent.id, agent.name ?? '', ...agent.aliases]);
    const [app] = found;
    if (app === undefined) {
      notes.push(`${agent.id} is no app of this export: it has said nothing yet.`);
      return agent;
    }
    notes.push(`${agent.id} is taken for the app ${app.name} (${app.id}), because of its name.`);
    return { ...agent, accounts: [...agent.accounts, ...found.map(({ id }) => id)] };
  });
  return { settings: { ...settings, agents }, notes };
}

/** The app of one of these names or ids. It may have several accounts: one posts with its user, another without. */
function appsNamed(apps: readonly App[], names: readonly string[]): App[] {
  const wanted = new Set(names.map(plainName).filter((name) => name !== ''));
  const first = apps.find(({ id, name }) => names.includes(id) || wanted.has(plainName(name)));
  if (first === undefined) return [];
  return [first, ...apps.filter((app) => app !== first && plainName(app.name) === plainName(first.name))];
}

function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^@/, '')
    .replaceAll(/[\s_.-]+/g, '');
}

function settingsOf(chosen: readonly { name: string; apps: readonly App[] }[]): AttentionSettings {
  const ids = new Set<string>();
  const agents = chosen.map(({ name, apps }, index) => {
    const shown = (apps[0]?.name ?? name).slice(0, 128);
    const plain = idOf(shown) || `agent-${index + 1}`;
    const id = ids.has(plain) ? `${plain}-${index + 1}` : plain;
    ids.add(id);
    return {
      id,
      ...(shown !== id && { name: shown }),
      accounts: apps.map((app) => app.id).slice(0, ACCOUNTS_MAX),
    };
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
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replaceAll(/^[-_.]+|[-_.]+$/g, '')
    .slice(0, AGENT_ID_CHARS);
}
