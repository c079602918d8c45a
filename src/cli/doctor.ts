// `earshot doctor`: checks everything that is often wrong and prints one line for each, with what to do. Exit
// code 1 when something is wrong. Only `--fix` changes anything (doctor-fix.ts).
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { type StoreHealth, storeHealth, storeHealthSchema } from '../host/operator/routes/health.ts';
import { CONNECTIONS_WANTED } from '../host/security/stranger-limits.ts';
import type { ShownSurface } from '../protocol/operator-api.ts';
import { agentFindings, type Finding } from './agent-findings.ts';
import { fixData, tokensDamage } from './doctor-fix.ts';
import { nodeFindings } from './node-findings.ts';
import { opinionFindings } from './opinion-findings.ts';
import { tokenFindings } from './token-findings.ts';
import { type Command, parseFlags } from './args.ts';
import { permissionProblem, storeFile, tokensFile } from './data-dir.ts';
import {
  STORE_HELP,
  STORE_OPTIONS,
  type ClientFlags,
  findHost,
  type HostClient,
  listIn,
} from './host-client.ts';
import type { SettingsFileAnswer } from '../protocol/settings-api.ts';
import {
  type ResolvedConfig,
  resolveConfig,
  resolveDataDir,
  resolvePlace,
  type StorePlace,
} from './host-config.ts';
import { CommandError, type Io } from './io.ts';
import { withStore } from './local-store.ts';

const HELP = `Usage: earshot doctor [--config FILE] [--data DIR] [--fix]

Checks the configuration, the data folder and its permissions, disk space, clock, the store's invariants, the surfaces and
agents of a running host and the port.
One line each; what is wrong comes with what to do. Exits with 1 when something is.

  --fix           mends what can be mended while no host runs, after a copy of the files; then checks
${STORE_HELP}

Example:
  earshot doctor
`;

export const doctorCommand: Command = {
  help: HELP,
  run,
};

const BYTES_NEEDED = 256 * 1_024 * 1_024;
const AHEAD_MS = 2_000;
/** What to do about a finding, by its words. The first that fits. Undefined: the finding says it (store/stuck-words.ts). */
const ADVICE: readonly (readonly [finding: RegExp, fix: string | undefined])[] = [
  [/: (?:restart the host|answer or resolve)/, undefined],
  [/^state .* cannot be read/, 'start the host: it rebuilds the state from the log'],
  [
    /columns differ from|never comes back$|never looked at again$|nothing releases it$/,
    'stop the host and run "earshot doctor --fix"',
  ],
  [/^/, 'restore a backup, or report it'],
];

async function run(argv: readonly string[], io: Io): Promise<number> {
  const { values } = parseFlags('doctor', argv, { ...STORE_OPTIONS, fix: { type: 'boolean' } }, 0);
  if (values.help === true) {
    await io.out(HELP);
    return 0;
  }
  const findings: Finding[] = [];
  for await (const finding of examine(values)) {
    findings.push(finding);
    await io.out(values.json === true ? `${JSON.stringify(finding)}\n` : lineOf(finding, io));
  }
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

function lineOf({ what, ok, said, fix }: Finding, { paint }: Io): string {
  const mark = ok ? paint('green', 'ok ') : paint('red', '!! ');
  return `${mark} ${what.padEnd(8)} ${said}${fix === undefined ? '' : `; ${fix}`}\n`;
}

async function* examine(flags: ClientFlags & { fix?: boolean | undefined }): AsyncGenerator<Finding> {
  const config = await checkedConfig(flags);
  yield config.finding;
  const dataDir =
    config.value?.host.dataDir ??
    (await resolveDataDir({ ...flags, data: flags.data ?? '.earshot' }, process.env));
  const store = config.value?.store ?? (await resolvePlace({ ...flags, data: dataDir }, process.env)).store;
  if (flags.fix === true && store !== undefined)
    throw new CommandError(1, 'doctor: --fix mends the file of a data folder; this store is a database');
  if (flags.fix === true) yield* fixData(dataDir);
  yield permissions('data', dataDir, 'chmod 700');
  yield permissions('tokens', tokensFile(dataDir), 'chmod 600');
  const damage = tokensDamage(dataDir);
  if (damage !== undefined) yield { what: 'tokens', ok: false, said: damage };
  yield await diskSpace(dataDir);
  const host = await findHost(flags).catch((error: unknown) => error as CommandError);
  if (host instanceof CommandError) {
    yield { what: 'host', ok: false, said: host.message };
    return;
  }
  yield { what: 'host', ok: true, said: host === undefined ? 'not running' : `running at ${host.url}` };
  yield* data({ dataDir, store }, host);
  if (host !== undefined) yield* await settingsFindings(host);
  if (host !== undefined) yield* surfaces(host);
  if (host !== undefined) yield* await agentFindings(host);
  if (host !== undefined) yield* await tokenFindings(host);
  if (host === undefined && config.value !== undefined) yield await port(config.value);
}

async function checkedConfig(flags: ClientFlags): Promise<{ finding: Finding; value?: ResolvedConfig }> {
  try {
    const value = await resolveConfig(flags, process.env);
    const agents = value.attention.agents.length;
    const said = `${value.file ?? 'the demo (no ./earshot.yaml here)'}, ${agents} agent${agents === 1 ? '' : 's'}`;
    return { finding: { what: 'config', ok: true, said }, value };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { finding: { what: 'config', ok: false, said: error.message } };
  }
}

/** The host may run with other settings than the file has. */
async function settingsFindings(host: HostClient): Promise<Finding[]> {
  const asked = host.call('GET', '/v1/settings/file');
  const answer = (await asked.catch(() => undefined)) as SettingsFileAnswer | undefined;
  if (answer === undefined) return [];
  const { problems, afterRestart, number, version } = answer;
  const fix = 'mend it; the host takes it by itself';
  const wrong = problems.map(({ message }) => ({
    what: 'settings',
    ok: false,
    said: `the file was not taken, and version ${number} stays in force: ${message}`,
    fix,
  }));
  const later = afterRestart.length === 0 ? '' : `; ${afterRestart.join(', ')} counts after a restart`;
  const said = `version ${number} (${version.slice(0, 8)}) is in force${later}`;
  return wrong.length > 0 ? wrong : [{ what: 'settings', ok: true, said }];
}

function permissions(what: string, path: string, fix: string): Finding {
  if (!existsSync(path)) return { what, ok: true, said: `${path} is not there yet` };
  const problem = permissionProblem(path);
  if (problem === undefined) return { what, ok: true, said: path };
  return { what, ok: false, said: `${path}: ${problem}`, fix: `${fix} ${path}` };
}

async function diskSpace(dataDir: string): Promise<Finding> {
  let at = dataDir;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  const { bavail, bsize } = await statfs(at);
  const free = bavail * bsize;
  const said = `${Math.floor(free / 1_048_576)} MB free`;
  return free >= BYTES_NEEDED
    ? { what: 'disk', ok: true, said }
    : { what: 'disk', ok: false, said, fix: 'free some: a full disk stops the host' };
}

async function* data(place: StorePlace, host: HostClient | undefined): AsyncGenerator<Finding> {
  if (host === undefined && place.store === undefined && !existsSync(storeFile(place.dataDir))) {
    yield { what: 'store', ok: true, said: 'nothing is stored yet' };
    return;
  }
  let health: StoreHealth;
  try {
    health =
      host === undefined
        ? await withStore(place, false, ({ store }) => storeHealth({ store }))
        : storeHealthSchema.parse(await host.call('GET', '/v1/doctor'));
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    yield { what: 'store', ok: false, said: error.message };
    return;
  }
  const { findings, stats } = health;
  yield clockFinding(health);
  yield* nodeFindings(health);
  yield* opinionFindings(health);
  if (health.descriptors !== undefined) yield descriptorFinding(health.descriptors);
  for (const said of findings) {
    const fix = ADVICE.find(([finding]) => finding.test(said))?.[1];
    yield { what: 'store', ok: false, said, ...(fix !== undefined && { fix }) };
  }
  const said = `${stats['log'] ?? 0} events, ${stats['delivery'] ?? 0} deliveries, ${(stats['bytes'] ?? 0) + (stats['walBytes'] ?? 0)} bytes, invariants hold`;
  if (findings.length === 0) yield { what: 'store', ok: true, said };
}

function seconds(ms: number): string {
  return `${Math.round(Math.abs(ms) / 1_000)} s`;
}

function clockFinding({ aheadMs, jumps }: StoreHealth): Finding {
  if (aheadMs > AHEAD_MS) {
    const said =
      `the host's time is ${seconds(aheadMs)} ahead of the system's clock, which was set back or is wrong. ` +
      `The host runs at half speed for the next ${seconds(2 * aheadMs)}, so waits take up to twice as long`;
    return { what: 'clock', ok: false, said, fix: 'set the system clock (NTP), or wait' };
  }
  const { forward, back, last } = jumps;
  if (last === undefined) return { what: 'clock', ok: true, said: 'the store and the system agree' };
  const way = last.ms < 0 ? 'back' : 'forward';
  const said = `the store and the system agree; since the start the clock was set ${forward + back} times, last ${way} by ${seconds(last.ms)}`;
  return { what: 'clock', ok: true, said };
}

/** With fewer free, the next connections may be dropped. */
const DESCRIPTORS_FREE = 16;
const RAISE = 'raise "ulimit -n" (LimitNOFILE in systemd) and restart the host';

function descriptorFinding({
  open,
  limit,
  connections,
  ranOut,
}: NonNullable<StoreHealth['descriptors']>): Finding {
  const what = 'files';
  if (open === undefined || limit === undefined)
    return { what, ok: true, said: `the system does not tell; room for ${connections} connections` };
  const said = `${open} of ${limit} descriptors open, room for ${connections} connections`;
  if (limit - open < DESCRIPTORS_FREE) return { what, ok: false, said, fix: RAISE };
  if (ranOut > 0) return { what, ok: false, said: `${said}; they ran out since the start`, fix: RAISE };
  if (connections < CONNECTIONS_WANTED) return { what, ok: false, said, fix: RAISE };
  return { what, ok: true, said };
}

/** How the surfaces of a running host are. Those that are up share one line. */
async function* surfaces(host: HostClient): AsyncGenerator<Finding> {
  let all: readonly ShownSurface[];
  try {
    all = listIn<ShownSurface>(await host.call('GET', '/v1/surfaces'), 'surfaces');
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    yield { what: 'surface', ok: false, said: error.message };
    return;
  }
  const up = all.filter(({ state }) => state === 'up');
  if (up.length > 0) yield { what: 'surface', ok: true, said: `${up.map(({ id }) => id).join(', ')}: up` };
  for (const { id, state, said, fix } of all) {
    if (state !== 'up')
      yield { what: 'surface', ok: false, said: `${id}: ${said}`, ...(fix !== null && { fix }) };
  }
}

/** Whether the port is free. A busy one that nobody asked for is not fatal: the host takes the next. */
function port({ host: { listen } }: ResolvedConfig): Promise<Finding> {
  const { promise, resolve } = Promise.withResolvers<Finding>();
  const probe = createServer();
  probe.once('error', (error: NodeJS.ErrnoException) => {
    const said = `${listen.host}:${listen.port} cannot be had (${error.code})`;
    resolve({ what: 'port', ok: false, said, fix: 'choose another with --port, or stop what is there' });
  });
  probe.listen(listen.port, listen.host, () => {
    probe.close(() => resolve({ what: 'port', ok: true, said: `${listen.host}:${listen.port} is free` }));
  });
  return promise;
}
