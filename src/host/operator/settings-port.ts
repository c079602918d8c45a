// How the host reaches the file with its settings. The command line implements it; a host inside another program has
// none, and its settings are that program's.
import type { SettingsEdit, SettingsProblem } from '../../protocol/settings-api.ts';
import type { GivenSettings } from '../kernel/in-force.ts';

export type Understood = UnderstoodSettings | { ok: false; problems: readonly SettingsProblem[] };

export interface UnderstoodSettings {
  ok: true;
  /** As they can be in force in this process: what needs a restart is as it was. */
  given: GivenSettings;
  /** What counts only after a restart, such as `host.listen`. */
  afterRestart: readonly string[];
}

export interface SettingsPort {
  /** The file, or undefined while there is none and a demo runs. */
  file(): string | undefined;
  /** Where the file is written when there is none. */
  home: string;
  /** What the host was started with. */
  text: string;
  /** What the file says instead, where it could not be written. */
  unwritten?: string;
  /** Undefined when there is no file. */
  read(): Promise<string | undefined>;
  understand(text: string): Understood;
  /** Replaces the file whole: after a crash there is the old one or the new one. */
  write(text: string): Promise<void>;
  /** The text without secrets. */
  withoutSecrets(text: string): string;
  /** Puts the secrets of `known` back where the text says that they stay. */
  withSecrets(text: string, known: string): string;
  /** Changes some keys and keeps the comments. Throws when the text is no YAML. */
  edit(text: string, edits: readonly SettingsEdit[]): string;
  /** Called before settings are put in force: their secrets are cut out of logs, new agents get what they need. */
  before(given: GivenSettings): Promise<void>;
}
