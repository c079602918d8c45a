// Numbers and days as the report writes them.

export function number(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** "97 %", and never "100 %" or "0 %" of something that is not all or nothing. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  if (part === whole) return '100 %';
  const share = (100 * part) / whole;
  if (share < 1) return 'under 1 %';
  return share > 99 ? 'over 99 %' : `${Math.round(share)} %`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "3 Oct 2026" from "2026-10-03". */
export function dayText(day: string, withYear = true): string {
  const [year, month, date] = day.split('-');
  return `${Number(date)} ${MONTHS[Number(month) - 1] ?? ''}${withYear ? ` ${year ?? ''}` : ''}`;
}

export const dayOfMs = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** "3 Oct, 14:05" (UTC). */
export function timeText(ms: number): string {
  return `${dayText(dayOfMs(ms), false)}, ${new Date(ms).toISOString().slice(11, 16)}`;
}
