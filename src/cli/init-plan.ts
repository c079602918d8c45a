// The questions of a new configuration: which agents, who leads, how they run, what brings chat in. Each answer has a
// check that says what would be right. The defaults make a plan that runs as it is.
import { agentSettingsSchema } from '../attention/settings.ts';
import { sourceSchema } from '../host/kernel/settings.ts';
import { WEB_SURFACE } from '../surfaces/web/web.ts';
import { DEMO_AGENTS } from './demo-config.ts';
import { suggestion } from './nearest.ts';
import { INTERNAL } from './surfaces.ts';

export const RUN_KINDS = ['demo', 'command', 'own'] as const;
export type RunKind = (typeof RUN_KINDS)[number];
/** The answer that means "none", so nothing can have this name. */
export const NONE = 'none';
/** More than anybody types in. A larger team is written into the file. */
export const AGENTS_MAX = 50;

export interface Plan {
  agents: readonly string[];
  lead: string | undefined;
  run: RunKind;
  source: string | undefined;
}

/** Answers as typed or given by flags. A missing one takes its default. */
export interface Given {
  agents?: string | undefined;
  lead?: string | undefined;
  run?: string | undefined;
  source?: string | undefined;
}

export type Read<T> = { ok: true; value: T } | { ok: false; problem: string };

export interface Question<T> {
  flag: keyof Given;
  words: string;
  preset: string;
  read: (text: string) => Read<T>;
}

export function agentsQuestion(): Question<readonly string[]> {
  return {
    flag: 'agents',
    words: 'Names of your agents, with commas between them',
    preset: 'lead, builder',
    read: readAgents,
  };
}

/** Not asked when there is only one agent. */
export function leadQuestion(agents: readonly string[]): Question<string | undefined> {
  const first = agents.length > 1 ? (agents[0] ?? NONE) : NONE;
  return {
    flag: 'lead',
    words: `Which of them leads the others, or ${NONE}`,
    preset: first,
    read: (text) => {
      if (text === NONE || agents.includes(text)) return right(text === NONE ? undefined : text);
      return wrong(`"${text}" is none of the agents; ${suggestion(text, [...agents, NONE])}`);
    },
  };
}

export function runQuestion(agents: readonly string[]): Question<RunKind> {
  return {
    flag: 'run',
    words:
      'How they run: demo (our scripts), command (a program, once a turn) or own (a harness you write or have)',
    preset: agents.every((agent) => DEMO_AGENTS.includes(agent)) ? 'demo' : 'command',
    read: (text) => {
      const kind = RUN_KINDS.find((known) => known === text);
      if (kind === undefined) return wrong(`"${text}" is not known; ${suggestion(text, RUN_KINDS)}`);
      if (kind !== 'demo' || agents.some((agent) => DEMO_AGENTS.includes(agent))) return right(kind);
      return wrong(
        `the demo plays ${DEMO_AGENTS.join(', ')} and none of yours: name one so, or say command or own`,
      );
    },
  };
}

export function sourceQuestion(): Question<string | undefined> {
  return {
    flag: 'source',
    words: `The web chat is built in. Does a program of yours bring other chat in? Its name, or ${NONE}`,
    preset: NONE,
    read: (text) => {
      if (text === NONE) return right(undefined);
      if (text === WEB_SURFACE || text === INTERNAL)
        return wrong(`"${text}" is the host's own; take another name`);
      return sourceSchema.shape.id.safeParse(text).success ? right(text) : wrong(nameRule(text));
    },
  };
}

function readAgents(text: string): Read<readonly string[]> {
  const names = text.split(',').map((name) => name.trim().replace(/^@/, ''));
  for (const [index, name] of names.entries()) {
    if (name === NONE || !agentSettingsSchema.shape.id.safeParse(name).success) return wrong(nameRule(name));
    if (names.indexOf(name) < index) return wrong(`"${name}" is there twice: names are unique`);
  }
  if (names.length > AGENTS_MAX)
    return wrong(`more than ${AGENTS_MAX}: write the rest into the file afterwards`);
  return right(names);
}

function nameRule(name: string): string {
  if (name === NONE) return `"${NONE}" means that there is none; take another name`;
  return `"${name}" is no name here: letters, digits, ".", "_" and "-", at most 64, such as lead or deploy-bot`;
}

const right = <T>(value: T): Read<T> => ({ ok: true, value });
const wrong = (problem: string): { ok: false; problem: string } => ({ ok: false, problem });
