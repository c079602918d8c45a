// `earshot pair`: makes a code that grants a role to the person who sends it in chat. Single use, short-lived, shown
// once.
import { type Command, parseFlags } from './args.ts';
import { STORE_HELP, STORE_OPTIONS, findHost } from './host-client.ts';
import { resolvePlace } from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';

const HELP = `Usage: earshot pair --role ROLE [--minutes N]

Makes a code. Whoever sends it in chat as a whole message is granted the role, once; the code is never shown to a model
and never stored in the clear.

  --role ROLE     what to grant, as "respondTo" and "ignore" name it (role:ROLE)
  --minutes N     how long it works; 10
${STORE_HELP}

Example:
  earshot pair --role owner
`;

const OPTIONS = { ...STORE_OPTIONS, role: { type: 'string' }, minutes: { type: 'string' } } as const;

export const pairCommand: Command = {
  help: HELP,
  run,
};

const MINUTES = { usual: 10, most: 24 * 60 };

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('pair', argv, OPTIONS, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const { role } = values;
  if (role === undefined || role.length > 128)
    throw new CommandError(2, 'pair: say which role with --role ROLE (see: earshot pair --help)');
  const minutes = values.minutes === undefined ? MINUTES.usual : Number(values.minutes);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MINUTES.most) {
    throw new CommandError(2, `--minutes: expected a whole number from 1 to ${MINUTES.most}`);
  }
  const ttlMs = minutes * 60_000;
  const host = await findHost(values);
  const made =
    host === undefined
      ? await withStore(await resolvePlace(values, process.env), false, ({ pairing }) =>
          pairing.issue({ role, ttlMs }),
        )
      : ((await host.call('POST', '/v1/pairings', { role, ttlMs })) as { code: string });
  await io.out(
    values.json === true ? `${JSON.stringify({ code: made.code, role, minutes })}\n` : `${made.code}\n`,
  );
  await io.flush();
  if (values.json !== true)
    io.err(`Send it in chat within ${minutes} minutes, as the whole message: it grants "${role}" once.\n`);
  return 0;
}
