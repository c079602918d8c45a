// The settings that can be tried on a decision, each in words. To add one, add a row.
import type { SettingsPatch } from '../../protocol/operator-api.ts';

interface Change {
  id: string;
  /** Follows "What if". */
  title: string;
  settings: (agent: string) => SettingsPatch;
}

export const CHANGES: readonly Change[] = [
  {
    id: 'mention_only',
    title: 'it answered only when mentioned',
    settings: () => ({ conversation: { mode: 'mention_only' } }),
  },
  {
    id: 'follow',
    title: 'it followed this conversation',
    settings: () => ({ conversation: { mode: 'follow' } }),
  },
  {
    id: 'left',
    title: 'it had left this conversation',
    settings: () => ({ conversation: { mode: 'left' } }),
  },
  { id: 'auto', title: 'its mode were auto', settings: () => ({ conversation: { mode: 'auto' } }) },
  {
    id: 'default_responder',
    title: 'it were the one who answers a lone person',
    settings: (agent) => ({ conversation: { defaultResponder: agent } }),
  },
  { id: 'open_floor', title: 'the floor were open', settings: () => ({ conversation: { openFloor: true } }) },
  {
    id: 'no_stickiness',
    title: 'a conversation did not carry on',
    settings: () => ({ agent: { stickiness: 'off' } }),
  },
  {
    id: 'one_shot',
    title: 'an answer bought one reply only',
    settings: () => ({ agent: { stickiness: 'one_shot' } }),
  },
  {
    id: 'no_mention',
    title: 'an @mention did not count',
    settings: () => ({ agent: { triggers: { mention: false } } }),
  },
  {
    id: 'nobody',
    title: 'it might talk to nobody here',
    settings: () => ({ agent: { respondTo: ['human:nobody'] } }),
  },
  { id: 'typeclaw', title: 'the preset were typeclaw', settings: () => ({ preset: 'typeclaw' }) },
  { id: 'default', title: 'the preset were default', settings: () => ({ preset: 'default' }) },
];
