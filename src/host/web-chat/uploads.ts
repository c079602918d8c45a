// Files that people have uploaded and not sent yet. They wait in memory, for a while and within bounds, and are stored in
// the commit of the message that takes them. An upload belongs to its person: nobody else's message can take it.
import { WEB_CHAT_LIMITS } from '../../protocol/web-chat.ts';
import type { Cancel, Clock } from '../../runtime/clock.ts';
import type { NewFile } from '../outbox/file-row.ts';

export interface Uploads {
  /** False when too much is waiting already. */
  add(person: string, file: NewFile): boolean;
  /** The files in this order. Undefined when one of them is not there, or is somebody else's. */
  find(person: string, ids: readonly string[]): NewFile[] | undefined;
  remove(person: string, id: string): void;
  close(): void;
}

interface Waiting {
  person: string;
  file: NewFile;
  cancel: Cancel;
}

export function createUploads(clock: Clock): Uploads {
  const waiting = new Map<string, Waiting>();
  const bytesOf = (person?: string): number =>
    [...waiting.values()].reduce(
      (sum, one) => sum + (person === undefined || one.person === person ? one.file.bytes : 0),
      0,
    );
  const drop = (id: string): void => {
    waiting.get(id)?.cancel();
    waiting.delete(id);
  };
  return {
    add(person, file) {
      if (bytesOf(person) + file.bytes > WEB_CHAT_LIMITS.uploadsBytes) return false;
      if (bytesOf() + file.bytes > WEB_CHAT_LIMITS.allUploadsBytes) return false;
      const cancel = clock.after(WEB_CHAT_LIMITS.uploadMs, () => waiting.delete(file.id));
      waiting.set(file.id, { person, file, cancel });
      return true;
    },
    find(person, ids) {
      const found = ids.flatMap((id) => {
        const one = waiting.get(id);
        return one?.person === person ? [one.file] : [];
      });
      return found.length === ids.length ? found : undefined;
    },
    remove(person, id) {
      if (waiting.get(id)?.person === person) drop(id);
    },
    close() {
      for (const id of waiting.keys()) drop(id);
    },
  };
}
