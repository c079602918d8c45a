// The rules of this host as somebody would write them: what is as it is by default is left out, so that the text can be
// read, changed and tried.
import { type AttentionSettings, attentionSettingsSchema } from '../../attention/index.ts';

export function shownSettings(settings: AttentionSettings): Record<string, unknown> {
  const { preset, agents, conversations, limits, owner } = settings;
  const usual = attentionSettingsSchema.parse({ agents: [{ id: 'a' }] });
  const agent = { ...usual.agents[0], id: undefined };
  const changed = without(limits, usual.limits);
  return {
    preset,
    agents: agents.map((one) => without(one, agent)),
    ...(conversations.length === 0 ? {} : { conversations }),
    ...(Object.keys(changed).length === 0 ? {} : { limits: changed }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function without(
  value: Readonly<Record<string, unknown>>,
  usual: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const own = Object.entries(value).filter(
    ([key, one]) => JSON.stringify(one) !== JSON.stringify(usual[key]),
  );
  return Object.fromEntries(own);
}
