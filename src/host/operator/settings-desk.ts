// The desk for settings: what is in force and where it came from, what a change would do, and the change itself, from the
// page, the command line or the file. One change at a time. The file is written first, then the version is stored, then it
// counts; after a crash the file says what counts, so it is the old settings or the new ones and never half of either.
// Where several hosts share the store, the newest version counts for all of them: each takes it, and writes its own file.
import type {
  ApplyAnswer,
  CheckAnswer,
  SettingsEdit,
  SettingsFileAnswer,
  TakenFile,
} from '../../protocol/settings-api.ts';
import type { SettingsProblem } from '../../protocol/settings-api.ts';
import { isDeepStrictEqual } from 'node:util';
import { iso } from '../../protocol/log-record.ts';
import type { SettingsRow } from '../../store/tables.ts';
import { HttpError } from '../http/http-error.ts';
import type { Host } from '../host.ts';
import { newestVersion, StaleVersion, versionKey, versions, VERSIONS_KEPT } from '../kernel/settings-row.ts';
import { settingsWords } from '../kernel/settings-words.ts';
import type { Difference, Differences } from './settings-difference.ts';
import type { SettingsPort, UnderstoodSettings } from './settings-port.ts';

export interface Changer {
  by: string;
  way: SettingsRow['way'];
}

export interface SettingsDesk {
  view(): Promise<SettingsFileAnswer>;
  /** Understands a text, or the text in force with some changes. Changes nothing. */
  check(draft: { text?: string | undefined; edits?: readonly SettingsEdit[] | undefined }): CheckAnswer;
  /** Refused when `basedOn` is not the newest version: somebody else was faster. */
  apply(wanted: { text: string; basedOn: number }, who: Changer): Promise<ApplyAnswer>;
  /** Puts a former version in force again. */
  goBack(wanted: { number: number; basedOn: number }, who: Changer): Promise<ApplyAnswer>;
  /** Takes the file as it is now. */
  reload(who: Changer, dryRun: boolean): Promise<CheckAnswer>;
  /** The file may have changed. Takes it, unless it is what the desk itself has written. */
  look(who: Changer): Promise<void>;
  /** Takes the newest version, if another host of the store has brought it. */
  follow(): Promise<void>;
  differences: Differences;
}

interface Deps {
  host: Pick<Host, 'context' | 'changeSettings' | 'followSettings'>;
  port: SettingsPort;
  differences: Differences;
}

export function createSettingsDesk(deps: Deps): SettingsDesk {
  return new Desk(deps);
}

class Desk implements SettingsDesk {
  readonly differences: Differences;
  readonly #host: Deps['host'];
  readonly #port: SettingsPort;
  /** The file as it was taken, with its secrets. */
  #text: string;
  #problems: readonly SettingsProblem[] = [];
  /** Why the newest version of another node is not in force here. */
  #notFollowed: readonly SettingsProblem[] = [];
  /** What the file says, where the text could not be written into it. */
  #unwritten: string | undefined;
  #afterRestart: readonly string[] = [];
  #taken: TakenFile | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ host, port, differences }: Deps) {
    this.#host = host;
    this.#port = port;
    this.differences = differences;
    this.#text = port.text;
    this.#unwritten = port.unwritten;
  }

  /** Between two changes, so that all of it is of one version. */
  view(): Promise<SettingsFileAnswer> {
    return this.#oneAtATime(async () => {
      const number = await this.#numberInForce();
      const { attention, configVersion } = this.#host.context;
      return {
        number,
        version: configVersion,
        file: this.#port.file() ?? null,
        home: this.#port.home,
        text: this.#port.withoutSecrets(this.#text),
        attention,
        problems: [...this.#problems, ...this.#notFollowed],
        afterRestart: this.#afterRestart,
        taken: this.#taken?.number === number ? this.#taken : null,
      };
    });
  }

  check({ text, edits = [] }: Parameters<SettingsDesk['check']>[0]): CheckAnswer {
    const draft = this.#edited(text ?? this.#port.withoutSecrets(this.#text), edits);
    const understood = this.#port.understand(this.#port.withSecrets(draft, this.#text));
    if (!understood.ok) return { ok: false, text: draft, problems: understood.problems };
    return this.#checked(draft, understood, this.#compare(understood), null);
  }

  apply(wanted: { text: string; basedOn: number }, who: Changer): Promise<ApplyAnswer> {
    return this.#oneAtATime(async () => {
      await this.#refuseStale(wanted.basedOn);
      const text = this.#port.withSecrets(wanted.text, this.#text);
      const understood = this.#port.understand(text);
      if (!understood.ok) throw invalid(understood.problems);
      const before = this.#port.file() === undefined ? undefined : this.#text;
      await this.#write(text);
      try {
        const from = this.#host.context.configVersion;
        const taken = await this.#take(text, understood, who, wanted.basedOn);
        const { number, version, words } = taken;
        const line = `settings ${short(from)} → ${short(version)}: ${words.join('; ')}`;
        this.#host.context.log.info({ by: who.by, number }, line);
        return taken;
      } catch (error) {
        // It is not in force, so the file must not say that it is.
        if (before !== undefined) await this.#write(before);
        throw error instanceof StaleVersion ? stale(error.newest) : error;
      }
    });
  }

  async goBack(wanted: { number: number; basedOn: number }, who: Changer): Promise<ApplyAnswer> {
    const row = await this.#host.context.store.get('settings', versionKey(wanted.number));
    if (row === undefined || row.text === '') {
      const message = `Version ${wanted.number} is not kept: choose one of GET /v1/settings/versions.`;
      throw new HttpError(404, 'not_found', message);
    }
    return this.apply({ text: row.text, basedOn: wanted.basedOn }, who);
  }

  reload(who: Changer, dryRun: boolean): Promise<CheckAnswer> {
    return this.#oneAtATime(() => this.#reload(who, dryRun));
  }

  look(who: Changer): Promise<void> {
    return this.#oneAtATime(async () => {
      const text = await this.#port.read();
      // Nothing is compared then: a comparison ends the one that somebody waits for.
      if (text !== undefined && this.#isKnown(text)) this.#problems = [];
      else await this.#reload(who, false);
    });
  }

  follow(): Promise<void> {
    return this.#oneAtATime(async () => {
      const newest = await newestVersion(this.#host.context.store);
      if (newest === undefined || newest.text === '' || this.#isInForce(newest)) return;
      const onDisk = (await this.#port.read()) ?? '';
      const isEdited = onDisk !== '' && !this.#isKnown(onDisk);
      // An edit that was not taken yet is the later change.
      if (isEdited && this.#port.withoutSecrets(onDisk) !== newest.text)
        await this.#reload({ by: 'file', way: 'file' }, false);
      else await this.#takeNewest(newest, onDisk);
    });
  }

  async #takeNewest(newest: SettingsRow, onDisk: string): Promise<void> {
    const { context, followSettings } = this.#host;
    const text = this.#port.withSecrets(newest.text, onDisk === '' ? this.#text : onDisk);
    const understood = this.#port.understand(text);
    if (!understood.ok) return this.#refuseNewest(newest, understood.problems);
    const { given, afterRestart } = understood;
    if (!isDeepStrictEqual(jsonOf(given.attention), jsonOf(newest.attention))) {
      // A node of another Earshot reads the text differently. What decides here is then a version of its own.
      await this.#take(text, understood, { by: newest.by, way: newest.way });
    } else {
      const from = context.configVersion;
      const words = settingsWords(context, given);
      await this.#port.before(given);
      // Whatever else of a file differs (sources, platforms) counts after a restart, and decides nothing.
      await followSettings({ ...given, configVersion: newest.version });
      const line = `settings ${short(from)} → ${short(newest.version)}: ${words.join('; ')}. Another node brought them`;
      context.log.info({ by: newest.by, number: newest.number }, line);
      this.#inForce(text, afterRestart);
    }
    if (onDisk === text) return;
    try {
      await this.#port.write(text);
    } catch (error) {
      this.#unwritten = onDisk;
      const line =
        'the settings of another node are in force, and could not be written into the file of this one';
      context.log.warn({ err: error }, line);
    }
  }

  #refuseNewest({ number, by }: SettingsRow, problems: readonly SettingsProblem[]): void {
    const words = problems.map(({ message }) => message).join('\n');
    const message = `Version ${number} (${by}) is in force on other nodes, and cannot be taken by this one: ${words}`;
    if (this.#notFollowed[0]?.message !== message) this.#host.context.log.warn({}, message);
    this.#notFollowed = [{ message }];
  }

  /** Whether a version is what decides here. */
  #isInForce({ version, text }: SettingsRow): boolean {
    return version === this.#host.context.configVersion || text === this.#port.withoutSecrets(this.#text);
  }

  /** Whether the file says what is in force, or what could not be written into it. */
  #isKnown(text: string): boolean {
    return text === this.#text || text === this.#unwritten;
  }

  async #numberInForce(): Promise<number> {
    const { store, configVersion } = this.#host.context;
    const newest = await newestVersion(store);
    if (newest === undefined || this.#isInForce(newest)) return newest?.number ?? 0;
    const kept = await versions(store, VERSIONS_KEPT);
    return kept.find(({ version }) => version === configVersion)?.number ?? newest.number;
  }

  async #reload(who: Changer, dryRun: boolean): Promise<CheckAnswer> {
    const text = await this.#port.read();
    if (text === undefined) return this.#noFile(dryRun);
    const shown = this.#port.withoutSecrets(text);
    const understood = this.#port.understand(text);
    if (!understood.ok) {
      if (!dryRun) this.#refuseFile(understood.problems);
      return { ok: false, text: shown, problems: understood.problems };
    }
    const difference = this.#compare(understood);
    const checked = this.#checked(shown, understood, difference, null);
    if (dryRun || this.#isKnown(text)) {
      if (!dryRun) this.#problems = [];
      return checked;
    }
    const { configVersion: from, store } = this.#host.context;
    const before = await newestVersion(store);
    const taken = await this.#take(text, understood, who);
    this.#tell(taken, from, before, difference, who);
    return { ...checked, applied: taken.number };
  }

  /** Nobody was asked first, so the log and the page say what changed, how much, and how to take it back. */
  #tell(
    { number, version, words }: ApplyAnswer,
    from: string,
    before: SettingsRow | undefined,
    difference: Difference,
    { by }: Changer,
  ): void {
    const { log, clock } = this.#host.context;
    const back = before === undefined || before.text === '' ? null : before.number;
    const taken: TakenFile = { number, at: iso(clock.now()), words, difference: null, back };
    this.#taken = taken;
    void difference.ended.then((found) => {
      if (this.#taken === taken) this.#taken = { ...taken, difference: found.words };
      const undo = back === null ? '' : `. Take it back: earshot reload --back ${back}`;
      const line = `settings ${short(from)} → ${short(version)}: ${words.join('; ')}; ${found.words}${undo}`;
      log.info({ by, number }, line);
    });
  }

  #noFile(dryRun: boolean): CheckAnswer {
    const home = this.#port.file() ?? this.#port.home;
    const message = `There is no ${home}: the settings in force stay. Write it, or apply settings from the page.`;
    if (!dryRun && this.#port.file() !== undefined) this.#refuseFile([{ message }]);
    return { ok: false, text: '', problems: [{ message }] };
  }

  /** Says so once, and keeps the settings in force. */
  #refuseFile(problems: readonly SettingsProblem[]): void {
    const isNew = JSON.stringify(problems) !== JSON.stringify(this.#problems);
    this.#problems = problems;
    if (!isNew) return;
    const words = problems.map(({ message }) => message).join('\n');
    this.#host.context.log.warn({}, `the settings in force stay, because the file was not taken: ${words}`);
  }

  async #take(
    text: string,
    understood: UnderstoodSettings,
    { by, way }: Changer,
    basedOn?: number,
  ): Promise<ApplyAnswer> {
    const { given, afterRestart } = understood;
    const words = settingsWords(this.#host.context, given);
    await this.#port.before(given);
    const origin = { by, way, text: this.#port.withoutSecrets(text), words };
    const { number, version } = await this.#host.changeSettings(given, origin, basedOn);
    this.#inForce(text, afterRestart);
    return { number, version, words, afterRestart, file: this.#port.file() ?? this.#port.home };
  }

  #inForce(text: string, afterRestart: readonly string[]): void {
    this.#text = text;
    this.#unwritten = undefined;
    this.#problems = [];
    this.#notFollowed = [];
    this.#afterRestart = afterRestart;
  }

  async #write(text: string): Promise<void> {
    try {
      await this.#port.write(text);
    } catch (error) {
      throw new HttpError(500, 'not_written', `${(error as Error).message}. Nothing was changed.`);
    }
  }

  #edited(text: string, edits: readonly SettingsEdit[]): string {
    if (edits.length === 0) return text;
    try {
      return this.#port.edit(text, edits);
    } catch (error) {
      throw new HttpError(422, 'invalid_settings', (error as Error).message);
    }
  }

  #compare({ given }: UnderstoodSettings): Difference {
    return this.differences.start(this.#host.context.attention, given.attention);
  }

  #checked(
    text: string,
    { given, afterRestart }: UnderstoodSettings,
    { id: difference }: Difference,
    applied: number | null,
  ): Extract<CheckAnswer, { ok: true }> {
    const words = settingsWords(this.#host.context, given);
    return { ok: true, text, version: given.configVersion, words, afterRestart, difference, applied };
  }

  /** Somebody else has changed the settings, or the file, since the caller looked. */
  async #refuseStale(basedOn: number): Promise<void> {
    const newest = await newestVersion(this.#host.context.store);
    if (newest !== undefined && newest.number !== basedOn) throw stale(newest);
    const onDisk = await this.#port.read();
    if (onDisk === undefined || this.#isKnown(onDisk)) return;
    const message = `${this.#port.file()} was edited meanwhile. Take it first (earshot reload), then make your change again.`;
    throw new HttpError(409, 'stale', message);
  }

  #oneAtATime<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function invalid(problems: readonly SettingsProblem[]): HttpError {
  return new HttpError(422, 'invalid_settings', problems.map(({ message }) => message).join('\n'));
}

function stale({ number, by, at, words }: SettingsRow): HttpError {
  const changed = `Version ${number} came meanwhile (${by}, ${iso(at)}): ${words.join('; ')}.`;
  return new HttpError(409, 'stale', `${changed} Look at it, then make your change again.`);
}

/** As it is stored: without what is undefined. */
function jsonOf(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function short(version: string): string {
  return version.slice(0, 8);
}
