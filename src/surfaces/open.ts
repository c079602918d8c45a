// What a platform's surface is opened with, besides its settings.
import type { Clock } from '../runtime/clock.ts';
import type { Secret } from './secret.ts';

export interface OpenPorts {
  clock: Clock;
  /** The secret that is kept there. */
  secret: (place: string) => Secret;
}
