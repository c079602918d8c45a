// Filler text for what a floor does not produce: as long as the host's text, and different every time.
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const FILLERS = Array.from({ length: 26 }, (_, at) => LETTERS.slice(at).padEnd(4_096, LETTERS));
let turn = 0;

export function filler(bytes: number): string {
  return (FILLERS[turn++ % FILLERS.length] ?? '').slice(0, Math.max(0, Math.round(bytes)));
}
