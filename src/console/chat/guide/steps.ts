// The six steps of the demo, as the demo itself tells them, and whether this workspace is one in which they can be
// played.
import { GUIDE, type GuideStep } from '../../../demo/guide.ts';
import type { ChatState } from '../state/state.ts';

export { GUIDE, type GuideStep };

const HANDLES = [
  ...new Set(GUIDE.flatMap(({ say }) => say).flatMap((text) => text.match(/(?<=@)[\w-]+/g) ?? [])),
];

/** Everybody the steps mention is here and listens. */
export function isDemo({ agents, roles }: Pick<ChatState, 'agents' | 'roles'>): boolean {
  return HANDLES.every(
    (handle) => agents.get(handle)?.connected === true || roles.some(({ name }) => name === handle),
  );
}
