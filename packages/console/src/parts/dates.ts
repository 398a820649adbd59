/** Dates as people of this time zone read and write them. */

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });

/** A date of the server; a day without a time stays that day in every time zone. */
export function dateText(value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return isDay(value) ? day.format(date) : format.format(date);
}

/** Whether a date, as the server has it or as a filter is written, is a day without a time: midnight UTC. */
export const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d(?:T00:00:00(?:\.000)?Z)?$/.test(value);

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });
const exactDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' });

/** A time to the second; a day without a time as that day. */
export function exactText(value: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return value;
  return (isDay(value) ? exactDay : exact).format(date);
}

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
/** Units with their seconds, the longest first. */
const units = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** How long ago a time is, in the longest unit of which it is one at least. */
export function relativeText(value: string, now = Date.now()): string {
  const seconds = Math.round((new Date(value).getTime() - now) / 1000);
  const [unit, length] = units.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

/** The day of a time in this time zone: “today”, “yesterday”, otherwise the date. */
export function dayText(value: string, now = Date.now()): string {
  const dayOf = (time: number): number => {
    const date = new Date(time);
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  };
  const time = new Date(value).getTime();
  const days = Math.round((dayOf(time) - dayOf(now)) / (secondsOfDay * 1000));
  return days === 0 || days === -1 ? relative.format(days, 'day') : longDay.format(time);
}

const longDay = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

const secondsOfDay = 86_400;
/** Days for which a date is shown relative to now. */
const near = 30;
const dayHere = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

/** A date as a table shows it: relative to now within 30 days, otherwise the day. */
export function nearText(value: string, now = Date.now()): string {
  const time = new Date(value).getTime();
  if (Number.isNaN(time)) return value;
  if (!isDay(value))
    return Math.abs(time - now) < near * secondsOfDay * 1000 ? relativeText(value, now) : dayHere.format(time);
  const today = new Date(now);
  const days = (time - Date.UTC(today.getFullYear(), today.getMonth(), today.getDate())) / (secondsOfDay * 1000);
  return Math.abs(days) < near ? relative.format(Math.round(days), 'day') : day.format(time);
}

/** The time zone in which dates are typed. */
export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const two = (number: number, digits = 2): string => String(number).padStart(digits, '0');

/**
 * The local time of a date, as `<input type="datetime-local">` takes it; empty for none. Seconds and milliseconds are there only where they
 * are not zero, because the browser shows what is there.
 */
export function localOf(value: unknown): string {
  const date = new Date(typeof value === 'string' ? value : NaN);
  if (Number.isNaN(date.getTime())) return '';
  const days = [two(date.getFullYear(), 4), two(date.getMonth() + 1), two(date.getDate())].join('-');
  const [seconds, milliseconds] = [date.getSeconds(), date.getMilliseconds()];
  const fraction = milliseconds === 0 ? '' : `.${two(milliseconds, 3)}`;
  const rest = seconds === 0 && milliseconds === 0 ? '' : `:${two(seconds)}${fraction}`;
  return `${days}T${two(date.getHours())}:${two(date.getMinutes())}${rest}`;
}

/** The day of a date that has no time, as `<input type="date">` takes it; empty for none. */
export const dayOf = (value: string | null): string => value?.split('T')[0] ?? '';

/** The date of a local time, as the server takes it; null for none. */
export function dateOf(local: string): string | null {
  const date = new Date(local);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
