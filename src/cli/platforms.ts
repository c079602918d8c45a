// The surfaces of chat platforms, from the section `surfaces` of earshot.yaml. Each platform's packages are loaded only
// when it is configured.
import { z } from 'zod';
import { PackageMissing } from '../runtime/optional-package.ts';
import type { OpenPorts } from '../surfaces/slack/open.ts';
import { slackSettingsSchema } from '../surfaces/slack/settings.ts';
import type { Surface } from '../surfaces/surface.ts';
import { CommandError } from './io.ts';

export const surfacesSchema = z
  .array(z.discriminatedUnion('type', [slackSettingsSchema]))
  .max(16)
  .default([]);
export type SurfaceSettings = z.infer<typeof surfacesSchema>[number];

export async function openPlatforms(
  settings: readonly SurfaceSettings[],
  ports: OpenPorts,
): Promise<Surface[]> {
  try {
    return await Promise.all(settings.map((one) => open(one, ports)));
  } catch (error) {
    if (error instanceof PackageMissing)
      throw new CommandError(1, `surfaces: ${error.message}`, { cause: error });
    throw error;
  }
}

async function open(settings: SurfaceSettings, ports: OpenPorts): Promise<Surface> {
  switch (settings.type) {
    case 'slack': {
      const { openSlack } = await import('../surfaces/slack/open.ts');
      return openSlack(settings, ports);
    }
  }
}
