// Shows the host's attention settings and tries them with changes. An operator may change the preset, the limits, one
// agent and one conversation. The result is checked by the same schema as the configuration file.
import { z } from 'zod';
import {
  type AttentionSettings,
  attentionSettingsSchema,
  type Place,
  type Roster,
} from '../../attention/index.ts';
import { HttpError } from '../http/http-error.ts';

const some = z.record(z.string().max(64), z.unknown());
export const settingsPatchSchema = z.strictObject({
  preset: z.enum(['default', 'typeclaw']).optional(),
  limits: some.optional(),
  agent: some.optional(),
  conversation: some.optional(),
});
export type UncheckedPatch = z.infer<typeof settingsPatchSchema>;

export function patchedSettings(
  settings: AttentionSettings,
  patch: UncheckedPatch,
  at: { agent: string; place: Place; roster: Roster },
): AttentionSettings {
  const { place, roster } = at;
  const here = {
    match: `${place.platform}/${place.workspaceId}/${place.conversation.id}`,
    defaultResponder: roster.defaultResponder,
    openFloor: roster.openFloor,
    broadcastRole: roster.broadcastRole,
    mode: roster.mode,
    ...(patch.preset === undefined
      ? { stickiness: roster.known.find(({ id }) => id === at.agent)?.stickiness }
      : {}),
    ...patch.conversation,
  };
  return parseSettings(
    {
      ...settings,
      ...(patch.preset === undefined ? {} : { preset: patch.preset }),
      limits: { ...settings.limits, ...patch.limits },
      agents: settings.agents.map((agent) =>
        agent.id === at.agent ? { ...agent, ...patch.agent, id: agent.id } : agent,
      ),
      conversations:
        patch.conversation === undefined ? settings.conversations : [here, ...settings.conversations],
    },
    'settings',
  );
}

/** Parses a whole configuration. An error names the key that is wrong. */
export function parseSettings(given: unknown, name: string): AttentionSettings {
  const parsed = attentionSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw new HttpError(400, 'invalid_request', `body: ${path}: ${issue?.message ?? 'not understood'}.`);
}

/** The settings without their defaults, short enough for a person to read and change. */
export function shownSettings(settings: AttentionSettings): Record<string, unknown> {
  const { preset, agents, conversations, limits, owner } = settings;
  const usual = attentionSettingsSchema.parse({ agents: [{ id: 'a' }] });
  const agent = { ...usual.agents[0], id: undefined };
  const changed = withoutDefaults(limits, usual.limits);
  return {
    preset,
    agents: agents.map((one) => withoutDefaults(one, agent)),
    ...(conversations.length === 0 ? {} : { conversations }),
    ...(Object.keys(changed).length === 0 ? {} : { limits: changed }),
    ...(owner === undefined ? {} : { owner }),
  };
}

function withoutDefaults(
  value: Readonly<Record<string, unknown>>,
  usual: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const own = Object.entries(value).filter(
    ([key, one]) => JSON.stringify(one) !== JSON.stringify(usual[key]),
  );
  return Object.fromEntries(own);
}
