// What the lists of found plans are written with.
import type { Cast, Plan, Room, Said } from './plan.ts';

export type Found = readonly (readonly [what: string, plan: Plan])[];

export const ROOMS: readonly Room[] = [
  { id: 'general', kind: 'channel', platform: 'chat' },
  { id: 'ops', kind: 'channel', platform: 'desk' },
  { id: 'dm-ada', kind: 'dm', platform: 'chat' },
];

/** Two people in one room, who are asked nothing and where nobody pulls, unless told otherwise. */
export function castOf(agents: readonly string[], more: Partial<Cast> = {}): Cast {
  return {
    agents: [...agents],
    people: ['ada', 'bob'],
    rooms: ROOMS.slice(0, 1),
    asksPeople: false,
    pulls: false,
    ...more,
  };
}

export function say(id: number, at: number, by: string, room: string, more: Partial<Said> = {}): Said {
  return { id, at, type: 'say', by, room, asks: false, ...more };
}
