// The surfaces of chat platforms, from the section `surfaces` of earshot.yaml. Each platform's packages are loaded only
// when it is configured.
import { z } from 'zod';
import { githubSettingsSchema } from '../surfaces/github/settings.ts';
import type { OpenPorts } from '../surfaces/open.ts';
import { slackSettingsSchema } from '../surfaces/slack/settings.ts';
import type { Surface } from '../surfaces/surface.ts';

export const surfacesSchema = z
  .array(z.discriminatedUnion('type', [slackSettingsSchema, githubSettingsSchema]))
  .max(16)
  .default([]);
export type SurfaceSettings = z.infer<typeof surfacesSchema>[number];

/** Rejects with `PackageMissing` when a platform's package is not installed. */
export function openPlatforms(settings: readonly SurfaceSettings[], ports: OpenPorts): Promise<Surface[]> {
  return Promise.all(settings.map((one) => open(one, ports)));
}

async function open(settings: SurfaceSettings, ports: OpenPorts): Promise<Surface> {
  switch (settings.type) {
    case 'slack': {
      const { openSlack } = await import('../surfaces/slack/open.ts');
      return openSlack(settings, ports);
    }
    case 'github': {
      const { openGithub } = await import('../surfaces/github/open.ts');
      return openGithub(settings, ports);
    }
  }
}
