// Agents that overhear the same share one decision: it is what each of them would have got alone, whatever tells them
// apart otherwise: settings, capabilities, claims, what was addressed to whom.
import { describe, expect, it } from 'vitest';
import type { MessageEvent } from '../protocol/chat-event.ts';
import { decide, decider } from './decide.ts';
import { readMessage } from './heard.ts';
import { rosterFor } from './roster.ts';
import { attentionSettingsSchema } from './settings.ts';
import { type AttentionState, emptyState, shortKey } from './state.ts';

const AT = Date.parse('2026-06-24T09:00:00Z');
const AGENTS = [
  { id: 'nova', roles: ['ops'] },
  { id: 'otto', injection: { notify: false, digest: false } },
  { id: 'iris', roles: ['ops'], lead: 'nova' },
  { id: 'rex', ignore: ['human:ann'] },
  { id: 'zoe', owns: { conversations: ['C1'] } },
  { id: 'kim', injection: { digest: false } },
  { id: 'lou', stickiness: 'one_shot' as const },
];
const SAID: Record<string, Partial<MessageEvent>> = {
  nobody: { text: 'the second run passed' },
  one: { text: '@nova is it up?' },
  'somebody else': { text: 'look', mentions: [{ kind: 'human', id: 'ben' }] },
  'a role': { text: '@ops is it up?' },
  'a recipient': { text: 'take this', recipients: ['agent:otto'] },
  'a log line': { text: 'job 42 done', subtype: 'log' },
  'a lowered posture': { text: 'is it up, nova?', target: { directedness: 'ambient', recipient: 'kim' } },
};
const AUTHORS: MessageEvent['author'][] = [
  { id: 'ann', kind: 'human' },
  { id: 'nova', kind: 'agent' },
  { id: 'ci', kind: 'system' },
];
const mode = (key: string, set: 'left' | 'follow') => ({
  key,
  mode: set,
  spokeN: 1,
  disengaged: false,
  batchAt: 0,
  dial: null,
});
const STATES: Record<string, Partial<AttentionState>> = {
  quiet: {},
  'a claim': { claims: [{ event: shortKey('e1'), agent: '@kim', until: AT + 1, token: 1 }] },
  'modes of their own': { agents: [mode('@nova', 'left'), mode('@kim', 'follow')] },
};

const cases = (['default', 'typeclaw'] as const).flatMap((preset) =>
  ['channel', 'thread', 'system'].flatMap((kind) =>
    [false, true].flatMap((openFloor) =>
      Object.keys(STATES).map((state) => ({ preset, kind: kind as 'channel', openFloor, state })),
    ),
  ),
);

describe('decisions that are shared', () => {
  it.each(cases)(
    'are those of each agent alone: $preset, $kind, open floor $openFloor, $state',
    ({ preset, kind, openFloor, state }) => {
      const conversation = { id: 'C1', kind };
      const place = { platform: 'web', workspaceId: 'W1', conversation };
      const settings = { preset, agents: AGENTS, conversations: [{ match: '*', openFloor }] };
      const roster = rosterFor(attentionSettingsSchema.parse(settings), place);
      let shared = 0;
      for (const author of AUTHORS) {
        for (const said of Object.values(SAID)) {
          for (const level of [0, 1, 2] as const) {
            const event: MessageEvent = { eventId: 'e1', at: AT, ...place, author, type: 'message', ...said };
            const record = { kind: 'event' as const, seq: 2, at: AT, event, facts: {} };
            const heard = readMessage({ ...emptyState(), ...STATES[state] }, record, event, roster);
            const guard = () => ({
              level,
              cause: null,
              count: 1,
              prompted: false,
              met: false,
              echoes: false,
            });
            const together = roster.agents.map(decider(heard, guard));
            expect(together).toEqual(roster.agents.map((agent) => decide(heard, agent, guard)));
            shared += together.length - new Set(together.map(({ trace }) => trace)).size;
          }
        }
      }
      expect(shared > 0).toBe(state !== 'a claim');
    },
  );
});
