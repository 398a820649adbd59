/** Time zones: an offset or a name of the IANA database, and how far its clocks are from UTC at a moment. */
import { StoreError } from '../../errors.ts';

/** Milliseconds east of UTC at a moment. */
export type Zone = (time: number) => number;

/** Counts work, in steps. */
export type Count = (steps: number) => void;

/** To look a zone up, and to find how far its clocks are from UTC at a time that hasn't been asked for. */
const zoneSteps = 120;
const offsetSteps = 40;

/** The zone of everything that names none. */
export const utc: Zone = () => 0;

const minute = 60_000;

/**
 * Reads a time zone; what it takes to find its offsets is counted.
 * @throws StoreError 40485 for one that isn't known
 */
export function zoneOf(name: string, count: Count): Zone {
  const offset = /^([+-])(\d\d)(?::?(\d\d))?$/.exec(name);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    const east = (offset[1] === '-' ? -minutes : minutes) * minute;
    return east === 0 ? utc : () => east;
  }
  return name === 'UTC' || name === 'GMT' || name === 'Z' ? utc : namedZone(name, count);
}

/** Clocks are changed at full quarters of an hour, so that what holds at one time does so for the rest of its quarter. */
const quarter = 15 * minute;
const mostRemembered = 10_000;

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
    if (known.size < mostRemembered) known.set(slot, offset);
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

/** The time of a day in UTC; years below 100 are what they are. */
export function timeOf(year: number, month: number, day: number): number {
  const date = new Date(0);
  return date.setUTCFullYear(year, month, day);
}

/** The time that clocks of a zone show, as if it were in UTC. */
export const wallTime = (time: number, zone: Zone): number => time + zone(time);

/** The moment at which clocks of a zone show a time; the earlier offset counts where the clocks are put forward. */
export function momentOf(wall: number, zone: Zone): number {
  const guess = wall - zone(wall);
  const second = wall - zone(guess);
  return zone(second) === zone(guess) ? second : Math.max(guess, second);
}
