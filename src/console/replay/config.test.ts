import { describe, expect, it } from 'vitest';
import { attentionSettingsSchema } from '../../attention/index.ts';
import { replayConfigText, readReplayConfig, TRIALS, tryChange } from './config.ts';

const RULES = {
  preset: 'default',
  agents: [
    { id: 'lead', name: 'Lead', aliases: ['boss'] },
    { id: 'builder', roles: ['oncall'], lead: 'lead' },
  ],
};

describe('a configuration to try', () => {
  it('begins with the rules of the host', () => {
    expect(readReplayConfig(replayConfigText(RULES))).toEqual({ ok: true, value: RULES });
  });

  it('takes a whole earshot.yaml and leaves out what is about the host', () => {
    const read = readReplayConfig('agents: [{ id: lead }]\nhost: { listen: { port: 1 } }\nowner: U1\n');
    expect(read).toEqual({ ok: true, value: { agents: [{ id: 'lead' }], owner: 'U1' } });
  });

  it.each(['', '- a list', 'agents: [', 'words'])('says what is wrong with %j', (text) => {
    const read = readReplayConfig(text);
    expect(read.ok).toBe(false);
    expect(read.ok ? '' : read.problem).toMatch(/configuration is/);
  });

  it.each(TRIALS.map(({ id }) => id))('stays a valid configuration after %s', (id) => {
    const before = replayConfigText(RULES);
    const after = tryChange(before, id);
    expect(after).not.toBe(before);
    const read = readReplayConfig(after);
    expect(attentionSettingsSchema.safeParse(read.ok ? read.value : read.problem)).toMatchObject({
      success: true,
    });
  });

  it('keeps what is there when something is tried on it', () => {
    const text = tryChange(
      'agents: [{ id: lead }]\nlimits: { composeMs: 5 }\nconversations: [{ match: a/b/c }]\n',
      'short',
    );
    expect(readReplayConfig(tryChange(text, 'mentions'))).toMatchObject({
      value: {
        limits: { composeMs: 5, followUpMessages: 2 },
        conversations: [{ match: '*', mode: 'mention_only' }, { match: 'a/b/c' }],
      },
    });
  });
});
