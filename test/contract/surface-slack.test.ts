// Slack held to the contract of surfaces: the real SDK against an emulated workspace, through the fault proxy.
import { onTestFinished } from 'vitest';
import { DEFAULT_GLYPHS, signalOfGlyph } from '../../src/protocol/glyphs.ts';
import { glyphOfName } from '../../src/surfaces/slack/emoji.ts';
import type { Store } from '../../src/store/store.ts';
import type { Surface } from '../../src/surfaces/surface.ts';
import { receiver } from '../surfaces/receiver.ts';
import { actsOf, buttonsOf, overHttp } from '../surfaces/slack/acts.ts';
import { slackOver } from '../surfaces/slack/subject.ts';
import { BUILDER_LOGIN } from '../surfaces/slack/two-apps.ts';
import { BOT, BOT_TOKEN, slackWorkspace, type Workspace } from '../surfaces/slack/workspace.ts';
import { type MakeSubject, type SurfaceSubject, surfaceContract } from './surface-contract.ts';

const withOneApp: MakeSubject = async (store, clock) => {
  const workspace = await slackWorkspace(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  const surface = slackOver(workspace, clock);
  const events = await receiver(surface);
  workspace.listen(events);
  return subject(workspace, surface, store, overHttp(events.replace(/events$/, 'actions'), clock));
};

/** Both apps are in the channel, so both hear everything. */
const withTwoApps: MakeSubject = async (store, clock) => {
  const workspace = await slackWorkspace(
    (end) => onTestFinished(end),
    () => clock.now(),
  );
  await workspace.invite('builder');
  const surface = slackOver(workspace, clock, { agents: ['lead'], more: [BUILDER_LOGIN] });
  const events = await receiver(surface);
  workspace.listen(`${events}/lead`, `${events}/builder`);
  const actions = overHttp(events.replace(/events$/, 'actions/lead'), clock);
  const made = subject(workspace, surface, store, actions);
  return { ...made, agents: 2, login: { ...made.login, state: 'limited' } };
};

surfaceContract('slack, events over HTTP', withOneApp);
surfaceContract('slack, an app for each of two agents', withTwoApps);

function subject(workspace: Workspace, surface: Surface, store: Store, ways: Parameters<typeof actsOf>[1]) {
  const acts = actsOf(workspace, ways);
  const questions = async () =>
    (await workspace.shown()).filter(({ blocks }) => blocks?.some(({ type }) => type === 'actions'));
  // Every other post of ours comes back as an event, so both its ways to be known are tried.
  let posts = 0;
  workspace.tells = ({ event }) => event['user'] !== BOT || posts++ % 2 === 0;
  const { team: workspaceId, channel: conversationId } = workspace;
  return {
    surface,
    place: { platform: 'slack', workspaceId, conversationId },
    async say(_host: unknown, text: string) {
      const eventId = await workspace.say('ada', text);
      const row = await store.get('log', eventId);
      if (row === undefined) throw new Error('Slack was answered before it was in the log');
      return { eventId, status: 'accepted' as const, seq: row.seq };
    },
    async shown() {
      const all = await workspace.shown();
      const names = all.flatMap(({ reactions = [] }) =>
        reactions.flatMap(({ name, users }) => (users.includes(BOT) ? [name] : [])),
      );
      return {
        texts: all.flatMap(({ user, text, files }) => (user === BOT && files === undefined ? [text] : [])),
        files: all.flatMap(({ user, files = [] }) => (user === BOT ? files.map(({ name }) => name) : [])),
        signals: names.flatMap((name) => signalOfGlyph(DEFAULT_GLYPHS, glyphOfName(name)) ?? []),
      };
    },
    async pinged() {
      const all = await workspace.shown();
      return all.flatMap(({ user, text }) => (user === BOT ? (text.match(/<[@!][^>]*>/g) ?? []) : []));
    },
    questions: {
      approver: `slack/${workspaceId}/${workspace.users.ada}`,
      buttons: async () => (await questions()).flatMap(buttonsOf),
      async press(label: string) {
        const [question] = await questions();
        if (question === undefined) throw new Error('there is no question');
        await acts.press('ada', question, label);
      },
    },
    login: {
      end: () => void workspace.dead.set(BOT_TOKEN, 'token_revoked'),
      renew: () => workspace.dead.clear(),
    },
    faults: {
      proxy: workspace.proxy,
      isPost: (path: string) => /\/(?:chat\.postMessage|files\.completeUploadExternal)$/.test(path),
      isAmend: (path: string) => /\/chat\.(?:update|delete)$/.test(path),
      isFind: (path: string) =>
        /\/(?:conversations\.(?:history|replies)|files\.info|upload\/v1\/\w+)$/.test(path),
    },
  } satisfies SurfaceSubject;
}
