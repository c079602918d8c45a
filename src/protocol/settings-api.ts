// What the page and the command line ask about the settings, and what the host answers: `/v1/settings/…`, for operators.
import type { Conversation } from './chat-event.ts';
import type { ReplayDifference } from './operator-analysis.ts';

export interface SettingsProblem {
  /** The line of the text, from 1. Undefined when it is about the whole text. */
  line?: number;
  /** What was expected there, and what to write instead. */
  message: string;
}

/** One change of the file. A path is keys and list indexes, such as `['agents', 0, 'roles']`. */
export type SettingsEdit =
  | { op: 'set'; path: readonly (string | number)[]; value: unknown }
  | { op: 'remove'; path: readonly (string | number)[] }
  /** Appends to the list at the path, or puts it before the entry at `before`. The list is made where there is none. */
  | { op: 'add'; path: readonly (string | number)[]; value: unknown; before?: number | undefined };

/** `GET /v1/settings/file`. */
export interface SettingsFileAnswer {
  /** The number of the version in force. An apply names it. */
  number: number;
  version: string;
  /** Null: there is no file, and a demo runs. Applying writes one at `home`. */
  file: string | null;
  home: string;
  /** The text, with `kept` where secrets are. */
  text: string;
  /** The parsed attention settings, for the form. */
  attention: Readonly<Record<string, unknown>>;
  /** The file on disk was not taken, and why. The settings in force stay. */
  problems: readonly SettingsProblem[];
  /** What the file says that counts only after a restart. */
  afterRestart: readonly string[];
  /** The version in force was taken from the file without a question. Null where somebody has looked at it first. */
  taken: TakenFile | null;
}

/** A change of the file that counts already: what it is, and the way back. */
export interface TakenFile {
  number: number;
  at: string;
  words: readonly string[];
  /** What the last week's log would have decided, in a sentence. Null while it is being decided again. */
  difference: string | null;
  /** The version before it. Null when that is not kept as text. */
  back: number | null;
}

export interface ShownVersion {
  number: number;
  version: string;
  at: string;
  by: string;
  way: 'start' | 'file' | 'page' | 'command';
  words: readonly string[];
  /** False when only its words are kept, because no file was there. */
  hasText: boolean;
}
/** `GET /v1/settings/versions`: newest first. */
export interface VersionsAnswer {
  versions: readonly ShownVersion[];
}

/** `POST /v1/settings/check` {text} or {edits}, and `POST /v1/settings/reload` {dryRun}. */
export type CheckAnswer =
  | { ok: false; text: string; problems: readonly SettingsProblem[] }
  | {
      ok: true;
      text: string;
      version: string;
      /** What changes, in sentences. */
      words: readonly string[];
      afterRestart: readonly string[];
      /** For `GET /v1/settings/difference/ID`. */
      difference: string;
      /** Whether it was put in force, and as which number. */
      applied: number | null;
    };

/** `GET /v1/settings/difference/ID`: what the log of the last week would have decided. */
export interface DifferenceAnswer {
  state: 'running' | 'done' | 'cancelled';
  /** Records looked at so far, and in all. */
  done: number;
  of: number;
  decisions: number;
  different: number;
  turnsAdded: number;
  turnsSaved: number;
  /** Up to ten of each: an agent would take a turn, would not take it, or would take it otherwise. */
  added: readonly ReplayDifference[];
  saved: readonly ReplayDifference[];
  otherwise: readonly ReplayDifference[];
  /** False when the week has more records than are looked at; then the newest count. */
  complete: boolean;
  /** One sentence. */
  words: string;
}

/**
 * `POST /v1/agents/ID/dial` {conversation?}: what each notch of the agent's dial would have done with the log of the last
 * week, everywhere or in one conversation and its threads.
 */
export interface DialAnswer {
  agent: string;
  /** The dial that the settings give it, 0 to 100: there, or where nothing else is said. */
  now: number;
  notches: readonly DialNotch[];
  /** False when the week has more records than are looked at; then the newest count. */
  complete: boolean;
}
/** `GET /v1/dials`: where people in the chat have moved the dial of an agent. */
export interface DialMovesAnswer {
  moves: readonly MovedDial[];
  /** False when there are more conversations than are looked at. */
  complete: boolean;
}
export interface MovedDial {
  agent: string;
  key: string;
  platform: string;
  workspaceId: string;
  conversation: Conversation;
  notch: 'quiet' | 'balanced' | 'keen';
  number: number;
  /** Who asked for it last, and when. Null when the words are no longer kept, or too far back. */
  by: string | null;
  at: string | null;
}

export interface DialNotch {
  notch: 'quiet' | 'balanced' | 'keen';
  number: number;
  /** Turns of this agent. */
  turns: number;
  turnsAdded: number;
  turnsSaved: number;
  /** Up to ten of each: lines that would wake it, and lines that would no longer. */
  added: readonly ReplayDifference[];
  saved: readonly ReplayDifference[];
  /** One sentence. */
  words: string;
}

/** `POST /v1/settings/apply` {text, basedOn}. */
export interface ApplyAnswer {
  number: number;
  version: string;
  words: readonly string[];
  afterRestart: readonly string[];
  file: string;
}

/** `POST /v1/agents/ID/test` asks the agent in a private conversation; `GET /v1/agents/ID/test/EVENT` says how far it is. */
export interface AgentTestAnswer {
  eventId: string;
  agent: string;
  connected: boolean;
  state: 'waiting' | 'handed' | 'working' | 'answered' | 'silent' | 'failed';
  /** One sentence: what has happened, or what is missing. */
  words: string;
  answer: string | null;
}
