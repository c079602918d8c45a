// Looks for a program before anything connects, so that a wrong name is reported now and not at the first turn.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CommandError } from './io.ts';

/** `install` says how to get a program that we know. */
export function mustExist(command: string, install?: string): void {
  // Windows looks up names by other rules.
  if (process.platform === 'win32') return;
  const places = command.includes('/')
    ? [command]
    : (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, command));
  const files = places.filter((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true);
  if (files.some(isExecutable)) return;
  if (files[0] !== undefined)
    throw new CommandError(1, `run: ${files[0]} is not executable; "chmod +x" makes it so`);
  const [first = '', ...rest] = command.split(' ');
  const hint =
    rest.length > 0
      ? `there is no shell: write -- ${command} without the quotes`
      : command.includes('/')
        ? 'is the path right?'
        : install === undefined
          ? 'is it installed, and on the PATH?'
          : `install it: ${install}`;
  throw new CommandError(1, `run: "${rest.length > 0 ? command : first}" was not found; ${hint}`);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
