// The files that a person is about to send, by conversation. They are uploaded as soon as they are chosen, and kept while
// the person looks at another conversation. The host forgets an upload after a while and with a restart; so the files stay
// here until their message is sent, and are uploaded again when the host asks for them.
import type { WebFile } from '../../../protocol/web-chat.ts';
import { dataUrlOf } from '../data-url.ts';
import { FILE_BYTES, FILES_BYTES, FILES_MAX } from '../limits.ts';
import { ChatRefusal, chatWords } from '../wire/refusal.ts';
import { sizeWords } from './size-words.ts';
import { forgetUpload, uploadFile } from './upload.ts';

export interface TrayFile {
  key: number;
  name: string;
  bytes: number;
  /** The share that has gone out, 0 to 1. */
  progress: number;
  /** A picture to show, as data. */
  preview?: string;
  /** Set once the host has it. */
  uploaded?: WebFile;
  problem?: string;
}

export interface Tray {
  files: readonly TrayFile[];
  /** Why files were left out. */
  problem?: string;
}

type TrayChange = { [K in keyof TrayFile]?: TrayFile[K] | undefined };

const EMPTY: Tray = { files: [] };
const PREVIEWED = /^image\/(?:png|jpeg|gif|webp)$/;

export class Trays {
  readonly #token: string;
  readonly #trays = new Map<string, Tray>();
  readonly #running = new Map<number, AbortController>();
  /** The files themselves, by their place in the tray, and once the host had them by their upload. */
  readonly #chosen = new Map<number, File>();
  readonly #sent = new Map<string, File>();
  readonly #listeners = new Set<() => void>();
  #keys = 0;

  constructor(token: string) {
    this.#token = token;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  of(conversation: string): Tray {
    return this.#trays.get(conversation) ?? EMPTY;
  }

  /** Takes what fits, and says what does not before anything is sent. */
  add(conversation: string, chosen: readonly File[]): void {
    const { files } = this.of(conversation);
    const taken: { entry: TrayFile; file: File }[] = [];
    let problem: string | undefined;
    let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    for (const file of chosen) {
      if (files.length + taken.length >= FILES_MAX) problem = `At most ${FILES_MAX} files in one message.`;
      else if (file.size > FILE_BYTES)
        problem = `${file.name} has ${sizeWords(file.size)}. A file may have ${sizeWords(FILE_BYTES)}.`;
      else if (bytes + file.size > FILES_BYTES)
        problem = `The files of one message may have ${sizeWords(FILES_BYTES)} together.`;
      else if (file.size === 0) problem = `${file.name} is empty.`;
      else {
        bytes += file.size;
        const entry = { key: ++this.#keys, name: file.name || 'file', bytes: file.size, progress: 0 };
        taken.push({ entry, file });
      }
    }
    const all = [...files, ...taken.map(({ entry }) => entry)];
    this.#set(conversation, { files: all, ...(problem === undefined ? {} : { problem }) });
    for (const { entry, file } of taken) {
      this.#chosen.set(entry.key, file);
      if (PREVIEWED.test(file.type)) void this.#preview(conversation, entry.key, file);
      void this.#upload(conversation, entry.key, file);
    }
  }

  /** Uploads a file that failed once more. */
  again(conversation: string, key: number): void {
    const file = this.#chosen.get(key);
    if (file === undefined || this.#running.has(key)) return;
    this.#change(conversation, key, { problem: undefined, progress: 0 });
    void this.#upload(conversation, key, file);
  }

  remove(conversation: string, key: number): void {
    const { files } = this.of(conversation);
    const uploaded = files.find((file) => file.key === key)?.uploaded;
    if (uploaded !== undefined) forgetUpload(this.#token, uploaded.id);
    this.#running.get(key)?.abort();
    this.#chosen.delete(key);
    this.#set(conversation, { files: files.filter((file) => file.key !== key) });
  }

  /** The uploads of a message that is being sent. The tray is empty then. */
  take(conversation: string): WebFile[] {
    const { files } = this.of(conversation);
    this.#set(conversation, EMPTY);
    for (const { key, uploaded } of files) {
      const file = this.#chosen.get(key);
      if (uploaded !== undefined && file !== undefined) this.#sent.set(uploaded.id, file);
      this.#chosen.delete(key);
    }
    return files.flatMap(({ uploaded }) => uploaded ?? []);
  }

  /** The host does not have these uploads any more: they are made again. Throws a refusal when that fails. */
  async renew(files: readonly WebFile[]): Promise<WebFile[]> {
    const renewed: WebFile[] = [];
    for (const { id, name } of files) {
      const file = this.#sent.get(id);
      if (file === undefined)
        throw new ChatRefusal('not_found', `${name} is not here any more: attach it again.`);
      const signal = new AbortController().signal;
      const uploaded = await uploadFile(this.#token, file, name, { signal, progress: () => undefined });
      this.#sent.set(uploaded.id, file);
      renewed.push(uploaded);
    }
    return renewed;
  }

  /** Their message is sent or given up. */
  forget(files: readonly WebFile[]): void {
    const over = new Set(files.map(({ id }) => this.#sent.get(id)));
    for (const [id, file] of this.#sent) if (over.has(file)) this.#sent.delete(id);
  }

  /** Files wait for their message in some conversation. They would be lost with the tab. */
  readonly isFull = (): boolean => [...this.#trays.values()].some(({ files }) => files.length > 0);

  async #preview(conversation: string, key: number, file: File): Promise<void> {
    // A picture that cannot be read has no preview.
    const preview = await dataUrlOf(file).catch(() => undefined);
    if (preview !== undefined) this.#change(conversation, key, { preview });
  }

  async #upload(conversation: string, key: number, file: File): Promise<void> {
    const running = new AbortController();
    this.#running.set(key, running);
    try {
      const uploaded = await uploadFile(this.#token, file, file.name || 'file', {
        signal: running.signal,
        progress: (progress) => this.#change(conversation, key, { progress }),
      });
      this.#change(conversation, key, { uploaded, progress: 1 });
    } catch (error) {
      this.#change(conversation, key, { problem: chatWords(error) });
    } finally {
      this.#running.delete(key);
    }
  }

  #change(conversation: string, key: number, change: TrayChange): void {
    const tray = this.of(conversation);
    if (!tray.files.some((file) => file.key === key)) return;
    const files = tray.files.map((file) => (file.key === key ? ({ ...file, ...change } as TrayFile) : file));
    this.#set(conversation, { ...tray, files });
  }

  #set(conversation: string, tray: Tray): void {
    this.#trays.set(conversation, tray);
    for (const listener of this.#listeners) listener();
  }
}
