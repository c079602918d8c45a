// A picture, drawn by the page itself, and files that are dragged, dropped and pasted as a person would.

/** Its bytes, in a list. */
export const DRAWN = `(async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
  const pen = canvas.getContext('2d');
  const shade = pen.createLinearGradient(0, 0, 640, 400);
  shade.addColorStop(0, '#2f4fc0');
  shade.addColorStop(1, '#74d6a1');
  pen.fillStyle = shade;
  pen.fillRect(0, 0, 640, 400);
  const blob = await new Promise((done) => canvas.toBlob(done));
  return [...new Uint8Array(await blob.arrayBuffer())];
})()`;

export type Put = 'over' | 'leave' | 'drop' | 'paste';

/** A script that does it with one file: over the room, away from it, dropped there, or pasted into the field. */
export function put(kind: Put, bytes: number[], name: string): string {
  const file = `new File([new Uint8Array(${JSON.stringify(bytes)})], ${JSON.stringify(name)}, { type: 'image/png' })`;
  const events = { over: ['dragover'], leave: ['dragleave'], drop: ['dragover', 'drop'], paste: [] }[kind];
  return `(() => {
  const data = new DataTransfer();
  data.items.add(${file});
  const room = document.querySelector('.room .messages');
  for (const name of ${JSON.stringify(events)})
    room.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
  if (${kind === 'paste'})
    document
      .querySelector('.composer-text')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
})()`;
}
