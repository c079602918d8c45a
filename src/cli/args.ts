// Parses the command line with node:util. A complaint names the wrong flag and the nearest known one.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CommandError, type Io } from './io.ts';
import { suggestion } from './nearest.ts';

export interface Command {
  /** What --help prints, with an example. */
  help: string;
  run(argv: readonly string[], io: Io): Promise<number>;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true }>
>;

export function parseFlags<const T extends Options>(
  command: string,
  argv: readonly string[],
  options: T,
  positionalsMax: number,
): Parsed<T> {
  const usage = (problem: string): CommandError =>
    new CommandError(2, `${command}: ${problem} (see: earshot ${command} --help)`);
  const known = Object.keys(options).map((name) => `--${name}`);
  let parsed: Parsed<T>;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw usage(flagProblem(error as NodeJS.ErrnoException, known));
  }
  for (const [name, value] of Object.entries(parsed.values)) {
    if (value === '' || (Array.isArray(value) && value.includes(''))) throw usage(`--${name} needs a value`);
  }
  const extra = parsed.positionals[positionalsMax];
  if (extra !== undefined) throw usage(`"${extra}" is one argument too many`);
  return parsed;
}

function flagProblem(error: NodeJS.ErrnoException, known: readonly string[]): string {
  const flag = /'(?:-\w, )?(-{1,2}[^\s'=]+)/.exec(error.message)?.[1] ?? '';
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    return `unknown flag ${flag}; ${suggestion(flag, known)}`;
  if (error.code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') throw error;
  return error.message.includes('does not take an argument')
    ? `${flag} takes no value`
    : `${flag} needs a value; write ${flag}=VALUE when the value starts with "-"`;
}

/** A value that must be one of a known list. */
export function oneOfFlag<T extends string>(
  flag: string,
  value: string | undefined,
  known: readonly T[],
): T | undefined {
  if (value === undefined) return undefined;
  const found = known.find((word) => word === value);
  if (found === undefined)
    throw new CommandError(2, `--${flag}: "${value}" is not known; ${suggestion(value, known)}`);
  return found;
}
