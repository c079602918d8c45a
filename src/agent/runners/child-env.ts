// The environment of a program that answers for an agent: everything of ours, and what the turn is about. Never a token
// of Earshot, under whatever name: what stands in chat reaches this program, and it must not be able to leak one.
import type { Turn } from '../turn.ts';

export type Env = Readonly<Record<string, string | undefined>>;

const TOKEN_NAME = /^EARSHOT_\w*(?:TOKEN|SECRET|KEY)/i;
const TOKEN = /ear_[aso]_[\w-]{30}/;

export function childEnv(
  inherited: Env,
  { agent, conversation, events }: Pick<Turn, 'agent' | 'conversation' | 'events'>,
): Record<string, string> {
  const env = agentEnv(inherited, agent);
  env['EARSHOT_CONVERSATION'] = printable(conversation.target);
  env['EARSHOT_EVENT_ID'] = printable(events.at(-1)?.eventId ?? '');
  return env;
}

/** Without a turn: for a program that lives longer than one. */
export function agentEnv(inherited: Env, agent: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !TOKEN_NAME.test(name) && !TOKEN.test(value)) env[name] = value;
  }
  env['EARSHOT_AGENT'] = printable(agent);
  return env;
}

/** Ids come from platforms; a NUL in one would keep the program from starting. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '');
}
