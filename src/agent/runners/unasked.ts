// Programs that change things without asking anybody, seen from how they are started. What people write in chat reaches
// such a program, so `earshot run` says it at its start.
import { basename } from 'node:path';
import { PRESETS } from './presets/presets.ts';

interface Unasked {
  program: RegExp;
  /** Any of these arguments. Undefined: however it is started. */
  args?: RegExp;
  what: string;
}

const EVERYTHING = 'edits files and runs commands without asking anybody';

const UNASKED: readonly Unasked[] = [
  { program: /^opencode$/, args: /(?:^| )run(?: |$)/, what: PRESETS.opencode.unasked ?? EVERYTHING },
  { program: /^pi$/, what: PRESETS.pi.unasked ?? EVERYTHING },
  { program: /^goose$/, args: /(?:^| )run(?: |$)/, what: PRESETS.goose.unasked ?? EVERYTHING },
  {
    program: /^codex$/,
    args: /(?:^| )(?:--dangerously-bypass-approvals-and-sandbox|--yolo|danger-full-access|--sandbox=danger-full-access)(?: |$)/,
    what: `${EVERYTHING}, outside of its sandbox`,
  },
  {
    program: /^codex$/,
    args: /(?:^| )(?:--full-auto|workspace-write|--sandbox=workspace-write|--approve-for-me)(?: |$)/,
    what: 'edits files and runs commands without asking, inside its sandbox',
  },
  {
    program: /^(?:gemini|qwen)$/,
    args: /(?:^| )(?:-y|--yolo|--approval-mode[ =]yolo|--approval-mode[ =]auto)(?: |$)/,
    what: EVERYTHING,
  },
  {
    program: /^(?:claude|claude-agent-acp)$/,
    args: /(?:^| )(?:--dangerously-skip-permissions|(?:--permission-mode[ =])?bypassPermissions)(?: |$)/,
    what: EVERYTHING,
  },
];

/** What the program does unasked. Undefined: nothing that we know of. */
export function unaskedBy(command: string, args: readonly string[]): string | undefined {
  const name = basename(command).replace(/\.(?:exe|cmd|js)$/, '');
  const line = args.join(' ');
  return UNASKED.find(({ program, args: given }) => program.test(name) && (given?.test(line) ?? true))?.what;
}
