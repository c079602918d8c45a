// Settings changed in a few places, for trying them out: the host's own, with the preset, limits, one agent and one
// conversation as somebody would like to see them. Checked by the same schema as the configuration file.
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
export type Patch = z.infer<typeof settingsPatchSchema>;

export function patched(
  settings: AttentionSettings,
  patch: Patch,
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
  return settingsOf(
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

/** A whole configuration as JSON; what is wrong with it is said with the key. */
export function settingsOf(given: unknown, name: string): AttentionSettings {
  const parsed = attentionSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [name, ...(issue?.path ?? [])].join('.');
  throw new HttpError(400, 'invalid_request', `body: ${path}: ${issue?.message ?? 'not understood'}.`);
}
