// The programs that `earshot run --with NAME` knows. docs/runners/command.md shows the same table.
import { CLAUDE, QWEN } from './claude.ts';
import { CODEX } from './codex.ts';
import { GEMINI } from './gemini.ts';
import { GOOSE } from './goose.ts';
import { OPENCODE } from './opencode.ts';
import { PI } from './pi.ts';
import type { Preset, PresetName } from './preset.ts';

export type { Preset, PresetName } from './preset.ts';

export const PRESETS: Readonly<Record<PresetName, Preset>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  opencode: OPENCODE,
  goose: GOOSE,
  qwen: QWEN,
  pi: PI,
};

export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];
