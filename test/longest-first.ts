// The order of the test files. Vitest knows how long a file takes only after its first run on a machine; a fresh clone
// has no first run. A long file that starts last leaves one core idle, so the long ones are named here and go first.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Longest first. A file that is not named takes less than about three seconds. */
const LONG: readonly string[] = [
  'postgres/chaos/chaos.test.ts',
  'postgres/paused-node.test.ts',
  'postgres/nodes.test.ts',
  'postgres/store-model.test.ts',
  'simulation/simulation.test.ts',
  'simulation/planted.test.ts',
  'power/power.test.ts',
  'soak/soak.test.ts',
  'postgres/two-hosts.test.ts',
  'wire/failure.test.ts',
  'runners/outage.test.ts',
  'properties/own-message.test.ts',
  'wire/fits.test.ts',
  'wire/shares-unread.test.ts',
  'wire/shares.test.ts',
  'wire/loops.test.ts',
  'host/dialogues.test.ts',
  'browser/demo.test.ts',
  'conform-command/conform.test.ts',
  'wire/many-turns.test.ts',
  'postgres/up.test.ts',
  'postgres/no-hints.test.ts',
  'postgres/leases.test.ts',
  'postgres/operators.test.ts',
  'postgres/drain.test.ts',
  'postgres/webhook.test.ts',
  'postgres/slack.test.ts',
  'postgres/surface-lease.test.ts',
  'runners/webhook.test.ts',
  'mcp/channel.test.ts',
  'demo/up.test.ts',
  'server/settings.test.ts',
  'server/settings-load.test.ts',
  'server/process.test.ts',
  'disk/disk.test.ts',
  'strangers/descriptors.test.ts',
  'strangers/floods.test.ts',
  'browser/settings.test.ts',
  'browser/tour.test.ts',
  'browser/tour-rooms.test.ts',
  'browser/stranger.test.ts',
  'runners/run.test.ts',
  'runners/run-permission.test.ts',
  'clients/python.test.ts',
  'crash/crash.test.ts',
  'crash/growing.test.ts',
  'runners/streaming.test.ts',
  'agent/paused-host.test.ts',
  'slack/kill.test.ts',
  'github/kill.test.ts',
  'browser/chat-rich-scroll.test.ts',
  'browser/chat-hostile.test.ts',
  'browser/chat.test.ts',
  'browser/chat-rooms.test.ts',
  'strangers/strangers.test.ts',
  'runners/acp.test.ts',
  'runners/acp-seen.test.ts',
  'runners/presets.test.ts',
  'postgres/store-contract.test.ts',
  'postgres/move.test.ts',
  'browser/views.test.ts',
  'browser/scroll.test.ts',
  'browser/chat-scroll.test.ts',
  'browser/chat-markdown.test.ts',
  'browser/chat-search.test.ts',
  'browser/chat-files.test.ts',
  'surfaces/web/uploads.test.ts',
  'browser/timeline.test.ts',
  'browser/session.test.ts',
  'import/command.test.ts',
  'import/process.test.ts',
  'browser/report.test.ts',
  'package/pack.test.ts',
  'testing/counting-game.test.ts',
  'wire/sent-files.test.ts',
  'slack/send-files.test.ts',
  'wire/acknowledgements.test.ts',
  'wire/requests.test.ts',
  'contract/surface-slack.test.ts',
  'contract/surface-github.test.ts',
  'slack/questions.test.ts',
  'slack/commands.test.ts',
  'wire/names.test.ts',
  'attention/matrix-cells.test.ts',
  'wire/exchange.test.ts',
  'wire/intents.test.ts',
  'wire/set-mode.test.ts',
  'runners/ai-sdk-docs.test.ts',
  'replay/process.test.ts',
  'properties/fold.test.ts',
  'runners/command.test.ts',
  'agent/built.test.ts',
  'testing/role-mention.test.ts',
];

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) => group(a) - group(b) || rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}

/** The files of one project stay together: a worker that changes the project starts anew. */
function group({ project }: TestSpecification): number {
  return ['browser', 'postgres'].indexOf(project.name) + 1 || 3;
}

function rank({ moduleId }: TestSpecification): number {
  const found = LONG.findIndex((name) => moduleId.endsWith(name));
  return found === -1 ? LONG.length : found;
}
