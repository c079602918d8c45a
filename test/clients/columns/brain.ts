// What the model of a scenario does: it answers a word with a word. Requests without tools are the program's own, such
// as a title for the session, and get any text.
import type { Asked, Fields, OfferedTool } from '../provider/asked.ts';
import type { Brain, Does } from '../provider/server.ts';

/** The first word that the turn contains decides. Later words of a scenario stand first. */
export function answers(
  words: Readonly<Record<string, Does | ((asked: Asked) => Does | Promise<Does>)>>,
): Brain {
  return (asked) => {
    const found = Object.entries(words).find(([word]) => asked.turn.includes(word));
    if (found === undefined) return { text: 'Chat' };
    return typeof found[1] === 'function' ? found[1](asked) : found[1];
  };
}

/** Answers only when the program has gone. */
export const untilGone = async ({ hungUp }: Asked): Promise<Does> => {
  await hungUp;
  return { text: 'too late' };
};

/** Calls whatever tool runs commands, and answers with what came of it. */
export function runs(command: string, before: string, after: string): (asked: Asked) => Does {
  return ({ tools, results }) => {
    const tool = shellOf(tools);
    if (tool === undefined) return { text: 'I have no such tool.' };
    if (results.length > 0) return { text: after };
    return { text: before, calls: [{ name: tool.name, input: inputOf(tool, command) }] };
  };
}

const SHELLS = ['Bash', 'bash', 'run_shell_command', 'exec_command', 'shell_command', 'shell', 'local_shell'];

function shellOf(tools: readonly OfferedTool[]): OfferedTool | undefined {
  return SHELLS.flatMap((name) => tools.find((tool) => tool.name === name) ?? [])[0];
}

function inputOf({ parameters, required }: OfferedTool, command: string): Fields {
  const name = 'cmd' in parameters ? 'cmd' : 'command';
  const given = parameters[name] === 'array' ? ['bash', '-c', command] : command;
  const others = required
    .filter((key) => key !== name)
    .map((key) => [key, OTHERS[parameters[key] ?? ''] ?? 'run it']);
  return { ...(Object.fromEntries(others) as Fields), [name]: given };
}

const OTHERS: Readonly<Record<string, unknown>> = { boolean: false, number: 10_000, integer: 10_000 };
