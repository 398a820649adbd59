/** Time zones: names of the IANA database and offsets → minutes east of UTC at a time. */
import { StoreError } from '../../errors.ts';

export type Zone = (date: Date) => number;

/** @throws 40485 for a zone that nobody knows */
export function zoneOf(name: string): Zone {
  const offset = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
  if (offset !== null) {
    const minutes = (Number(offset[2]) * 60 + Number(offset[3] ?? 0)) * (offset[1] === '-' ? -1 : 1);
    return () => minutes;
  }
  if (name === 'UTC' || name === 'GMT' || name === 'Z') return () => 0;
  const format = formatOf(name);
  return (date) => Math.round((wallTime(format, date) - Math.floor(date.getTime() / 1000) * 1000) / 60_000);
}

/** The times that two zones show differ; a time of day → the moment, by the offset that holds then. */
export function momentOf(local: number, zone: Zone): Date {
  const guess = new Date(local - zone(new Date(local)) * 60_000);
  return new Date(local - zone(guess) * 60_000);
}

function formatOf(name: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new StoreError(40485, `unrecognized time zone identifier: "${name}"`);
  }
}

function wallTime(format: Intl.DateTimeFormat, date: Date): number {
  const parts = Object.fromEntries(format.formatToParts(date).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}
