/** Time zones: a fixed offset, or a name of the IANA database with its offset at a given time. */
import { StoreError } from '../../errors.ts';

/** Milliseconds east of UTC at a time. */
export type Zone = (time: number) => number;

/** Meters work, in steps. */
export type Count = (steps: number) => void;

/** The steps of looking up a zone, and of finding an offset that is not cached. */
const zoneSteps = 120;
const offsetSteps = 40;

/** The default zone. */
export const utc: Zone = () => 0;

const minute = 60_000;

/** Parses a time zone and meters the offset lookups. @throws StoreError 40485 for an unknown zone */
export function zoneOf(name: string, count: Count): Zone {
  const offset = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    const east = (offset[1] === '-' ? -minutes : minutes) * minute;
    return east === 0 ? utc : () => east;
  }
  return name === 'UTC' || name === 'GMT' || name === 'Z' ? utc : namedZone(name, count);
}

/** Offsets change at full quarters of an hour only, so one lookup serves a whole quarter. */
const quarter = 15 * minute;
const maxCachedOffsets = 10_000;

function namedZone(name: string, count: Count): Zone {
  count(zoneSteps);
  const format = formatFor(name);
  const known = new Map<number, number>();
  return (time) => {
    const slot = Math.floor(time / quarter);
    const remembered = known.get(slot);
    if (remembered !== undefined) return remembered;
    count(offsetSteps);
    const offset = offsetAt(format, slot * quarter);
    if (known.size < maxCachedOffsets) known.set(slot, offset);
    return offset;
  };
}

function formatFor(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw new StoreError(40485, `unrecognized time zone identifier: "${timeZone}"`);
  }
}

function offsetAt(format: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type));
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const wall =
    timeOf(year, number('month') - 1, number('day')) +
    ((number('hour') * 60 + number('minute')) * 60 + number('second')) * 1000;
  return wall - time;
}

/** The time of a date in UTC; years below 100 are not shifted. */
export function timeOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month, day);
}

/** Wall clock time in a zone, represented as a UTC time. */
export const wallTime = (time: number, zone: Zone): number => time + zone(time);

/** Further from UTC than any zone: a day before and a day after a wall clock time are on either side of its moment. */
const dayLength = 86_400_000;

/**
 * The time at which the clocks of a zone show a wall clock time. Where they show it twice, the one with the kept offset,
 * or the later one; where they skip it, the offset before the change applies.
 * @param kept the offset of the date that the wall clock time was computed from
 */
export function momentOf(wall: number, zone: Zone, kept?: number): number {
  const [earlier, later] = [zone(wall - dayLength), zone(wall + dayLength)];
  const [first, second] = [wall - earlier, wall - later];
  if (earlier === later) return first;
  const shownTwice = zone(first) === earlier && zone(second) === later;
  if (shownTwice) return kept === earlier ? first : second;
  return zone(second) === later ? second : first;
}
