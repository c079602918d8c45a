// The six steps of the demo, taken from the demo itself, and whether they can be played in this workspace.
import { GUIDE, type GuideStep } from '../../../demo/guide.ts';
import type { ChatState } from '../state/state.ts';

export { GUIDE, type GuideStep };

const HANDLES = [
  ...new Set(GUIDE.flatMap(({ say }) => say).flatMap((text) => text.match(/(?<=@)[\w-]+/g) ?? [])),
];

/** True when every agent that the steps mention is here and connected. */
export function isDemo({ agents, roles }: Pick<ChatState, 'agents' | 'roles'>): boolean {
  return HANDLES.every(
    (handle) => agents.get(handle)?.connected === true || roles.some(({ name }) => name === handle),
  );
}
