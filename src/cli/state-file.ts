// The state at the end of a replay, as a file. `earshot replay … --state-out FILE` writes it. `earshot explain --state
// FILE` decides the next event against it.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { createReplay, type Replay, type ReplaySnapshot, SNAPSHOT_VERSION } from '../attention/replay.ts';
import type { AttentionSettings } from '../attention/settings.ts';
import { conversationSchema } from '../protocol/chat-event.ts';
import { CommandError } from './io.ts';

const texts = z.array(z.string());
const snapshotSchema = z.strictObject({
  v: z.literal(SNAPSHOT_VERSION),
  now: z.number(),
  duplicates: z.number(),
  focus: z.array(z.tuple([z.string(), z.number()])),
  conversations: z.array(
    z.strictObject({
      place: z.strictObject({
        platform: z.string(),
        workspaceId: z.string(),
        conversation: conversationSchema,
      }),
      state: z.string(),
    }),
  ),
  events: z.array(
    z.tuple([
      z.string(),
      z.strictObject({
        conversation: z.string(),
        said: z
          .strictObject({
            author: z.string(),
            textHash: z.number(),
            mentions: texts,
            addressed: texts,
            answeredBy: texts,
            tasked: texts.optional(),
          })
          .optional(),
      }),
    ]),
  ),
});

export async function writeState(path: string, replay: Replay): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await writeFile(partial, `${JSON.stringify(replay.snapshot())}\n`);
    await rename(partial, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(1, `${path} cannot be written (${code ?? message})`, { cause: error });
  }
}

export async function replayFrom(path: string, settings: AttentionSettings): Promise<Replay> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(
      1,
      `${path} cannot be read (${code ?? message}); write it with: earshot replay FILE --state-out ${path}`,
      { cause: error },
    );
  }
  try {
    return createReplay(settings, snapshotSchema.parse(JSON.parse(text)) as ReplaySnapshot);
  } catch (error) {
    throw new CommandError(
      1,
      `${path} is no state of this Earshot; write it with: earshot replay FILE --state-out ${path}`,
      { cause: error },
    );
  }
}
