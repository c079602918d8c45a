// Secrets of surfaces: tokens and signing secrets. The configuration names where one is kept, never the secret itself.
import { z } from 'zod';

/** A secret by where it is kept. Its value is never shown. */
export interface Secret {
  /** For people: `SLACK_BOT_TOKEN`, or the path of the file. */
  name: string;
  /** Undefined: it is missing. Read at every use, so that a new one in a file is taken up. */
  read(): Promise<string | undefined>;
}

export const secretPlaceSchema = z
  .string()
  .max(1_024)
  .regex(
    /^(?:env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$/,
    'expected where the secret is kept, env:NAME or file:PATH; a secret is never written here',
  );
