// `earshot reload`: the running host takes its settings file as it is now, says what that would change, or goes back to a
// former version.
import { readFileSync } from 'node:fs';
import type {
  ApplyAnswer,
  CheckAnswer,
  DifferenceAnswer,
  SettingsFileAnswer,
  SettingsProblem,
} from '../protocol/settings-api.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, type HostClient, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { differenceOf } from './settings-difference.ts';

const HELP = `Usage: earshot reload [--dry-run [FILE]] [--back VERSION]

Asks the running host to take its settings file as it is now, and prints what changes: in words, and how many decisions of
the last week would have been others. The host watches the file too; this command is for file systems that tell of no
changes, for looking first, and for going back. What is wrong in the file is printed with its line, and the settings in force
stay.

  --dry-run       prints it and changes nothing. With FILE for a draft of yours beside the file that is watched
  --back VERSION  puts a former version in force again and writes it to the file; the log and the page name its number
${CLIENT_HELP}

Exit codes: 0 taken, or nothing to take; 1 refused.

Example:
  earshot reload --dry-run draft.yaml
`;

const OPTIONS = { ...CLIENT_OPTIONS, 'dry-run': { type: 'boolean' }, back: { type: 'string' } } as const;

export const reloadCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = parseFlags('reload', argv, OPTIONS, 1);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const dryRun = values['dry-run'] === true;
  const [draft] = positionals;
  if (draft !== undefined && !dryRun)
    throw new CommandError(2, 'reload: a FILE is only looked at: write --dry-run before it');
  const host = await requireHost(values);
  if (values.back !== undefined) return goBack(host, values.back, io);
  const answer = (await (draft === undefined
    ? host.call('POST', '/v1/settings/reload', { dryRun })
    : host.call('POST', '/v1/settings/check', { text: readDraft(draft) }))) as CheckAnswer;
  if (!answer.ok) {
    if (values.json === true) await io.out(`${JSON.stringify(answer)}\n`);
    for (const problem of answer.problems) io.err(`${inDraft(problem, draft)}\n`);
    io.err(
      `earshot: the ${draft === undefined ? 'file was' : 'draft is'} not taken, and the settings in force stay\n`,
    );
    return 1;
  }
  const found = await differenceOf(host, answer.difference);
  if (values.json === true) await io.out(`${JSON.stringify({ ...answer, difference: found })}\n`);
  else await io.out(told(answer, found, dryRun));
  return 0;
}

/** The host knows the text of a draft and not its name, so it names its own file. */
function inDraft({ line, message }: SettingsProblem, draft: string | undefined): string {
  return draft === undefined || line === undefined ? message : message.replace(/^.*?(?=:\d+: )/, draft);
}

function readDraft(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(1, `reload: ${file} cannot be read: ${(error as Error).message}`);
  }
}

async function goBack(host: HostClient, version: string, io: Io): Promise<number> {
  if (!/^\d+$/.test(version)) throw new CommandError(2, 'reload: --back takes the number of a version');
  const { number: basedOn } = (await host.call('GET', '/v1/settings/file')) as SettingsFileAnswer;
  const path = `/v1/settings/versions/${version}/back`;
  const { number, file, words } = (await host.call('POST', path, { basedOn })) as ApplyAnswer;
  const lines = words.map((line) => `  ${line}\n`).join('');
  await io.out(`Version ${version} is in force again, as version ${number} and in ${file}:\n${lines}`);
  return 0;
}

function told(
  { words, afterRestart, applied, version }: Extract<CheckAnswer, { ok: true }>,
  found: DifferenceAnswer,
  dryRun: boolean,
): string {
  const later = afterRestart.map((key) => `${key} counts after a restart`);
  if (applied === null && !dryRun) {
    return `Nothing is new: the file is what is in force.\n${later.map((line) => `  ${line}\n`).join('')}`;
  }
  const head = dryRun ? 'This would change:' : `Version ${applied} (${version.slice(0, 8)}) is in force:`;
  const lines = [...words, found.words, ...later];
  return `${head}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
