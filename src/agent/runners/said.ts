// A growing text with a limit in bytes. It is cut between two characters and says how much is left out.
import { clean } from './output.ts';

export class Said {
  readonly #bytesMax: number;
  #text = '';
  #bytes = 0;
  #totalBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get empty(): boolean {
    return this.#totalBytes === 0;
  }

  add(piece: string): void {
    const bytes = Buffer.from(piece);
    const room = this.#bytes === this.#totalBytes ? this.#bytesMax - this.#bytes : 0;
    this.#totalBytes += bytes.length;
    if (bytes.length <= room) {
      this.#text += piece;
      this.#bytes += bytes.length;
      return;
    }
    // In stream mode the decoder drops half a character at the cut instead of replacing it.
    const kept = new TextDecoder().decode(bytes.subarray(0, room), { stream: true });
    this.#text += kept;
    this.#bytes += Buffer.byteLength(kept);
  }

  /** The whole text, or the part within the limit and how much is left out. */
  get text(): string {
    const leftOutBytes = this.#totalBytes - this.#bytes;
    const said = clean(this.#text);
    return leftOutBytes === 0
      ? said
      : `${said}\n\n[cut: ${leftOutBytes} of ${this.#totalBytes} bytes are left out]`;
  }
}
