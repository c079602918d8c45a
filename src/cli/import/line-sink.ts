// Writes events as lines, to a file or to standard output, and waits for a slow reader.
import { type FileHandle, open } from 'node:fs/promises';
import type { ChatEvent } from '../../protocol/chat-event.ts';
import { CommandError, type Io } from '../io.ts';

export interface LineSink {
  write(event: ChatEvent): Promise<void>;
  /** Resolves when everything has been written. */
  end(): Promise<void>;
  /** Lets go of the file, whatever has been written. */
  close(): Promise<void>;
}

const WRITE_CHARS = 256 * 1_024;

export function lineSink(path: string, io: Io): LineSink {
  if (path === '-') {
    return {
      write: (event) => io.out(`${JSON.stringify(event)}\n`),
      end: () => io.flush(),
      close: async () => {},
    };
  }
  let file: FileHandle | undefined;
  let waiting = '';
  const flush = async (): Promise<void> => {
    const text = waiting;
    waiting = '';
    try {
      file ??= await open(path, 'w');
      await file.write(text);
    } catch (error) {
      throw unwritable(path, error as NodeJS.ErrnoException);
    }
  };
  return {
    async write(event) {
      waiting += `${JSON.stringify(event)}\n`;
      if (waiting.length >= WRITE_CHARS) await flush();
    },
    end: flush,
    async close() {
      await file?.close();
    },
  };
}

function unwritable(path: string, error: NodeJS.ErrnoException): CommandError {
  return new CommandError(1, `${path} cannot be written (${error.code ?? error.message})`, { cause: error });
}
