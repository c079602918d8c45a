// The size of a file for people.
export function sizeWords(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  return bytes < 1_048_576
    ? `${Math.ceil(bytes / 1_024)} KiB`
    : `${(bytes / 1_048_576).toLocaleString('en', { maximumFractionDigits: 1 })} MiB`;
}
