// The program of `earshot run`: looked for before anything is connected, so that a wrong name is said now rather than at
// the first turn.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CommandError } from './io.ts';

export function mustExist(command: string): void {
  // There names are looked up by rules of their own.
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
        : 'is it installed, and on the PATH?';
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
