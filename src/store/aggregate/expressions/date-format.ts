/** Dates as text, in MongoDB's format specifiers, and their parts in a time zone. */
import { StoreError } from '../../errors.ts';

export interface DateParts {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
}

/** A date moved so that its UTC parts are those of the zone. @param offset in minutes east of UTC */
export const moved = (date: Date, offset: number): Date => new Date(date.getTime() + offset * 60_000);

export function partsOf(date: Date, offset: number): DateParts {
  const local = moved(date, offset);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
}

const day = 86_400_000;

export const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / day) + 1;
/** Weeks begin on Sunday; days before the first Sunday are in week 0. */
export const week = (date: Date): number => Math.floor((dayOfYear(date) + 6 - date.getUTCDay()) / 7);
/** ISO 8601: Monday is 1. */
export const isoDay = (date: Date): number => date.getUTCDay() || 7;

/** The Thursday of the ISO week decides its year. */
function thursday(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 4 - isoDay(date)));
}
export const isoYear = (date: Date): number => thursday(date).getUTCFullYear();
export const isoWeek = (date: Date): number => Math.ceil(dayOfYear(thursday(date)) / 7);

const padded = (value: number, width: number): string =>
  (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(width, '0');
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

const specifiers: Readonly<Record<string, (local: Date, offset: number) => string>> = {
  Y: (date) => padded(date.getUTCFullYear(), 4),
  m: (date) => padded(date.getUTCMonth() + 1, 2),
  d: (date) => padded(date.getUTCDate(), 2),
  H: (date) => padded(date.getUTCHours(), 2),
  M: (date) => padded(date.getUTCMinutes(), 2),
  S: (date) => padded(date.getUTCSeconds(), 2),
  L: (date) => padded(date.getUTCMilliseconds(), 3),
  j: (date) => padded(dayOfYear(date), 3),
  w: (date) => String(date.getUTCDay() + 1),
  U: (date) => padded(week(date), 2),
  G: (date) => padded(isoYear(date), 4),
  V: (date) => padded(isoWeek(date), 2),
  u: (date) => String(isoDay(date)),
  b: (date) => (months[date.getUTCMonth()] ?? '').slice(0, 3),
  B: (date) => months[date.getUTCMonth()] ?? '',
  z: (_date, offset) =>
    `${offset < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(offset) / 60), 2)}${padded(Math.abs(offset) % 60, 2)}`,
  Z: (_date, offset) => String(offset),
  '%': () => '%',
};

/** A date in a format. @throws 18536 for a specifier that MongoDB does not know */
export function dateText(date: Date, format: string, offset: number): string {
  const local = moved(date, offset);
  return format.replace(/%(.?)/gs, (_all, name: string) => {
    const specifier = Object.hasOwn(specifiers, name) ? specifiers[name] : undefined;
    if (specifier === undefined) throw new StoreError(18536, `Invalid format character '%${name}' in format string`);
    return specifier(local, offset);
  });
}
