// The forms that reasons take: how long ago, how often, whether or not.
import { NEVER } from './scales.ts';

export type ReasonGroup =
  | 'exchange'
  | 'spoke_to_author'
  | 'heard_lately'
  | 'spoken_to'
  | 'somebody_else'
  | 'agent_asked'
  | 'words'
  | 'name'
  | 'question'
  | 'everybody'
  | 'you'
  | 'form'
  | 'habit'
  | 'time'
  | 'room';

export interface ReasonWords {
  group: ReasonGroup;
  words: (value: number) => string;
}

export const ago = (what: string, never: string) => (value: number) => {
  if (value >= NEVER) return never;
  return value <= 1 ? `${what} just before` : `${what} ${value} messages ago`;
};
export const since = (what: string, never: string) => (value: number) => {
  if (value >= NEVER) return never;
  return value === 0 ? `${what}, and nobody has spoken since` : `${what} ${value} messages ago`;
};
export const isOrNot = (yes: string, no: string) => (value: number) => (value === 0 ? no : yes);
export const count = (one: string, many: string, none: string) => (value: number) =>
  value === 0 ? none : value === 1 ? one : `${value} ${many}`;
/** Against the room's pace: 8 is twice as long as usual, 40 thirty times. */
export const lately = (what: string, never: string) => (value: number) => {
  if (value >= 120) return never;
  return value <= 16 ? `${what} a moment ago` : value <= 40 ? `${what} a while ago` : `${what} long ago`;
};

export const row = (group: ReasonGroup, words: ReasonWords['words']): ReasonWords => ({ group, words });
