// `earshot tune`: what people's corrections say about each agent's dial, what it would change, and the change itself when
// it is told to. `earshot score --own`: how the settings in force do on the same corrections.
import type { ApplyAnswer, CheckAnswer, SettingsFileAnswer } from '../protocol/settings-api.ts';
import type { TuneAnswer } from '../protocol/tune-api.ts';
import { type Command, parseFlags } from './args.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, requireHost } from './host-client.ts';
import { CommandError, type Io } from './io.ts';
import { differenceOf, differenceText } from './settings-difference.ts';
import { shownLine } from './terminal-text.ts';

const HELP = `Usage: earshot tune [--apply]

Fits the dial (attention) and the bias (attentionBias) of each agent to the corrections of the last four weeks: "not you",
"why didn't you answer?", a 🔇 on an answer, "earshot why EVENT AGENT --should quiet". It prints how many there are, how sure
that makes it, and what the log of the last week would have decided. With few corrections nothing moves. Everything is
worked out by the host; nothing leaves the machine.

  --apply         changes the settings file and puts it in force; "earshot reload --back VERSION" takes it back
${CLIENT_HELP}

Example:
  earshot tune
  earshot tune --apply
`;

export const tuneCommand: Command = { help: HELP, run };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('tune', argv, { ...CLIENT_OPTIONS, apply: { type: 'boolean' } }, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const host = await requireHost(values);
  const tuned = (await host.call('POST', '/v1/tune', {})) as TuneAnswer;
  const lines = [...tuned.agents.map(({ words }) => words), tuned.words];
  if (tuned.edits.length === 0) {
    await io.out(values.json === true ? `${JSON.stringify(tuned)}\n` : text(lines));
    return 0;
  }
  const { number: basedOn } = (await host.call('GET', '/v1/settings/file')) as SettingsFileAnswer;
  const checked = (await host.call('POST', '/v1/settings/check', { edits: tuned.edits })) as CheckAnswer;
  if (!checked.ok)
    throw new CommandError(1, `tune: ${checked.problems.map(({ message }) => message).join('; ')}`);
  const difference = await differenceOf(host, checked.difference);
  const applied =
    values.apply === true
      ? ((await host.call('POST', '/v1/settings/apply', { text: checked.text, basedOn })) as ApplyAnswer)
      : undefined;
  if (values.json === true) {
    await io.out(`${JSON.stringify({ ...tuned, difference, applied: applied?.number ?? null })}\n`);
    return 0;
  }
  const end =
    applied === undefined
      ? 'To put it in force: earshot tune --apply'
      : `Version ${applied.number} is in force, in ${applied.file}. Take it back: earshot reload --back ${basedOn}`;
  const told = applied === undefined ? lines : lines.slice(0, -1);
  await io.out(text([...told, ...differenceText(difference), end]));
  return 0;
}

const text = (lines: readonly string[]): string =>
  lines.map((line) => `${shownLine(line, Number.POSITIVE_INFINITY)}\n`).join('');

const SCORE_HELP = `Usage: earshot score --own

Measures the settings in force on the host's own labels: of the corrections of the last four weeks about lines that named
nobody, how many would now be decided as people want. Corrections are complaints, so this is no accuracy of everything that
was said; it says whether the complaints are answered. Labelled chats of others are scored by "npm run score" in a clone.

  --own           on the corrections in this host's own log
${CLIENT_HELP}

Example:
  earshot score --own
`;

export const scoreCommand: Command = { help: SCORE_HELP, run: score };

async function score(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('score', argv, { ...CLIENT_OPTIONS, own: { type: 'boolean' } }, 0);
  if (values.help === true) {
    await io.out(SCORE_HELP);
    return 0;
  }
  if (values.own !== true)
    throw new CommandError(2, 'score: write --own; chats with labels of their own are for "npm run score"');
  const host = await requireHost(values);
  const { agents, words } = (await host.call('POST', '/v1/tune', {})) as TuneAnswer;
  if (values.json === true) {
    await io.out(`${JSON.stringify({ agents })}\n`);
    return 0;
  }
  const lines = agents.map(({ agent, corrections, weighed, should, right, interval }) => {
    const other = corrections - weighed;
    const named =
      other === 0 ? '' : ` ${other} more ${other === 1 ? 'is' : 'are'} about lines that named somebody.`;
    const likely = `${percent(interval.low)} to ${percent(interval.high)}, nine times in ten`;
    return weighed === 0
      ? `${agent}: no correction is about a line that named nobody.${named}`
      : `${agent}: ${right.now} of ${weighed} corrections (${should.answer} × answer, ${should.quiet} × quiet) are decided right now: ${percent(right.now / weighed)} (${likely}).${named}`;
  });
  await io.out(text(lines.length === 0 ? [words] : lines));
  return 0;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
