import { describe, expect, it } from 'vitest';
import { type AttentionSettingsInput, attentionSettingsSchema } from '../../attention/index.ts';
import { hostSettingsSchema } from './settings.ts';
import { settingsWords, WORDS_MAX } from './settings-words.ts';

const given = (attention: AttentionSettingsInput, host: object = {}) => ({
  attention: attentionSettingsSchema.parse(attention),
  settings: hostSettingsSchema.parse(host),
});
const BASE: AttentionSettingsInput = { agents: [{ id: 'lead', roles: ['day'] }, { id: 'builder' }] };

const webhook = (secret: string) => ({
  webhooks: [{ agent: 'lead', url: 'http://127.0.0.1:1/', secret }],
});

describe('a change in words', () => {
  it.each<[string, AttentionSettingsInput, object, string[]]>([
    ['nothing', BASE, {}, ['nothing that decides anything']],
    [
      'roles',
      { agents: [{ id: 'lead', roles: ['night'] }, { id: 'builder' }] },
      {},
      ['lead gets role night', 'lead loses role day'],
    ],
    [
      'agents',
      {
        agents: [
          { id: 'lead', roles: ['day'] },
          { id: 'nova', roles: ['a', 'b'], lead: 'lead' },
        ],
      },
      {},
      ['nova is added, with roles a, b and lead lead', 'builder is removed'],
    ],
    [
      'rules and limits',
      { ...BASE, conversations: [{ match: '*', mode: 'follow' }], limits: { composeMs: 5 }, owner: 'ann' },
      { limits: { awayMs: 0 } },
      [
        'a rule for * is added: mode follow',
        'owner not set → ann',
        'limits.composeMs 2000 → 5',
        'host.limits.awayMs 5000 → 0',
      ],
    ],
  ])('%s', (_, attention, host, words) => {
    expect(settingsWords(given(BASE), given(attention, host))).toEqual(words);
  });

  it('never holds a secret', () => {
    const words = settingsWords(
      given(BASE, webhook(`whsec_${'first000'.repeat(4)}`)),
      given(BASE, webhook(`whsec_${'second00'.repeat(4)}`)),
    );
    expect(words).toEqual(['the webhook of lead is changed']);
    expect(settingsWords(given(BASE), given(BASE, webhook(`whsec_${'first000'.repeat(4)}`)))).toEqual([
      'a webhook of lead is added',
    ]);
  });

  it('is bounded', () => {
    const many = Array.from({ length: 80 }, (_, n) => ({ id: `a${n}` }));
    const words = settingsWords(given(BASE), given({ agents: [...(BASE.agents ?? []), ...many] }));
    expect(words).toHaveLength(WORDS_MAX + 1);
    expect(words.at(-1)).toBe('and 30 more changes');
  });
});
