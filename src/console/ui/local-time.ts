// The value of a datetime-local field: local time, to the minute.
const MINUTE_MS = 60_000;
const TO_THE_MINUTE = 16;

/** Empty for what is no time. */
export function localTime(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, TO_THE_MINUTE);
}
