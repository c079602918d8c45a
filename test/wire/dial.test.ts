// The dial in the chat, over every way: "be quieter here" and "chime in more often" move it by a notch. The host answers
// by itself in the author's language, starts no turn, and the log decides the same again.
import { describe, expect, it } from 'vitest';
import { attentionSettingsSchema } from '../../src/attention/index.ts';
import { asksSomething, readText } from '../../src/attention/intent/intent.ts';
import { foldText } from '../../src/attention/text.ts';
import { SENTENCES } from '../../src/host/attend/acknowledgements.ts';
import { checkDecisions } from '../../src/host/check/check-decisions.ts';
import { conversationKeys } from '../../src/host/kernel/conversation.ts';
import { settingsByVersion } from '../../src/host/kernel/settings-row.ts';
import type { ShownConversation } from '../../src/protocol/operator-api.ts';
import type { WireHost } from './host.ts';
import { roomHost } from './room.ts';
import { hostWith, WAYS } from './ways.ts';

const STEP_MS = 4_000;

async function dialsOf(wire: WireHost): Promise<Record<string, string>[]> {
  const { body } = await wire.call('GET', '/v1/conversations', await wire.token('operator', 'ops'));
  return (body['conversations'] as ShownConversation[]).map(({ dials }) => ({ ...dials }));
}

/** The log folded again must give what is stored. */
async function replayed({ host }: WireHost): Promise<string[]> {
  const { store, attention, configVersion } = host.context;
  const keys = await conversationKeys(store, '', 100);
  return checkDecisions(store, keys, { attention, configVersion, earlier: await settingsByVersion(store) });
}

describe.each(WAYS)('over %s', (way) => {
  it('moves a notch down and up again, with one line each and no turn', async () => {
    const { wire, agent: lead } = await hostWith(way, 'lead');
    const asked = async (text: string): Promise<string | undefined> => {
      const eventId = await wire.say(text);
      await wire.pass(STEP_MS, STEP_MS / 2);
      expect((await wire.why(eventId, 'lead')).decision?.policy, text).toBe('ack_only');
      expect(lead.seen.map((one) => one.eventId)).not.toContain(eventId);
      return wire.platform.texts().at(-1);
    };
    expect(await asked('@lead be quieter here')).toBe(SENTENCES.en.quieter);
    expect(await dialsOf(wire)).toEqual([{ lead: 'quiet' }]);
    expect(await asked('@lead could you be a bit less eager?')).toBe(SENTENCES.en.quietest);
    expect(await asked('@lead melde dich hier öfter')).toBe(SENTENCES.de.keener);
    expect(await dialsOf(wire)).toEqual([{}]);
    expect(await asked('@lead participa más por favor')).toBe(SENTENCES.es.keener);
    expect(await dialsOf(wire)).toEqual([{ lead: 'keen' }]);
    expect(wire.platform.texts()).toHaveLength(4);
    expect(await replayed(wire)).toEqual([]);
  });
});

describe('what was asked in the chat', () => {
  it('is undone by the settings, which are the later change', async () => {
    const { wire } = await roomHost({ agents: [{ id: 'nova' }] });
    await wire.say('@nova be quieter here');
    await wire.pass(STEP_MS);
    expect(await dialsOf(wire)).toEqual([{ nova: 'quiet' }]);
    const attention = attentionSettingsSchema.parse({ agents: [{ id: 'nova', attention: 'keen' }] });
    const origin = { by: 'test', way: 'command', text: '', words: [] } as const;
    const { settings } = wire.host.context;
    await wire.host.changeSettings({ attention, settings, configVersion: 'v2' }, origin);
    expect(await dialsOf(wire)).toEqual([{}]);
    await wire.say('@nova be quieter here');
    await wire.pass(STEP_MS);
    expect(await dialsOf(wire)).toEqual([{ nova: 'balanced' }]);
    expect(await replayed(wire)).toEqual([]);
  });

  it('is undone by an operator who sets the mode to auto', async () => {
    const { wire } = await roomHost({ agents: [{ id: 'nova' }] });
    await wire.say('@nova be quieter here');
    await wire.pass(STEP_MS);
    const token = await wire.token('operator', 'ops');
    const { body } = await wire.call('GET', '/v1/conversations', token);
    const [here] = body['conversations'] as ShownConversation[];
    await wire.call('POST', '/v1/agents/nova/mode', token, { conversation: here?.key, mode: 'auto' });
    expect(await dialsOf(wire)).toEqual([{}]);
    expect(await replayed(wire)).toEqual([]);
  });
});

describe.each(Object.entries(SENTENCES))('the lines in %s', (_, lines) => {
  it('ask for nothing, and name words that are obeyed', () => {
    for (const line of [lines.quieter, lines.quietest, lines.keener, lines.keenest])
      expect(asksSomething(foldText(line)), line).toBe(false);
    const words = /["“「]([^"”」]+)["”」]/.exec(lines.quietest)?.[1] ?? '';
    const { asks } = readText({ text: words, folded: foldText(words), authorKind: 'human' });
    expect(asks).toMatchObject({ mode: 'mention_only', dial: undefined });
  });
});
