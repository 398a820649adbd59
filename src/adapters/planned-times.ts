/** The planned times of a cron expression in a time zone. The adapter of croner. */
import { Cron } from 'croner';
import { suggestion } from '../text/nearest.ts';

/** Times in milliseconds since 1970. */
export interface PlannedTimes {
  /** The first planned time after another time; undefined where there is none. */
  next(after: number): number | undefined;
  /** The last planned time up to another time; undefined where there is none. */
  last(until: number): number | undefined;
}

/**
 * The latest planned time that can have been kept by now: the one after the next. Where a later one is kept, the clock was ahead and has been set back,
 * and that one does not count: else nothing would run until the clock has caught up.
 */
export function latestKept(times: PlannedTimes, now: number): number {
  const next = times.next(now) ?? Infinity;
  return times.next(next) ?? next;
}

/** What to do about a kept time that is ahead of the clock. @param what has it */
export const clockAdvice = (what: string, at: Date): string =>
  `${what} is of ${at.toISOString()}, which is ahead of the clock: the clock was ahead and has been set back; check it, such as by timedatectl`;

const fieldNames = 'minute, hour, day of the month, month and day of the week, after an optional second';

/**
 * Daylight saving: what names hours runs once a day for each time that it names. A time in a skipped hour is the end of the skipped hour, and
 * one in an hour that is there twice is the first of the two. What runs every hour (`*`) follows elapsed time.
 * @param zone a name of the IANA database @throws Error with a sentence, which begins with the name of the part
 */
export function plannedTimes(cron: string, zone: string): PlannedTimes {
  const timeZone = checkedZone(zone);
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6)
    throw new Error(`cron must have five or six fields (${fieldNames}), got ${JSON.stringify(cron.slice(0, 60))}`);
  const isHourly = fields.at(-4) === '*';
  const times = timeZone === 'UTC' || isHourly ? elapsedTimes(cron, timeZone) : wallTimes(cron, timeZone);
  if (times.next(Date.now()) === undefined)
    throw new Error(`cron ${JSON.stringify(cron.slice(0, 60))} names no time that comes`);
  return times;
}

/** @returns the canonical name @throws Error */
function checkedZone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    const near = suggestion(zone, Intl.supportedValuesOf('timeZone'));
    throw new Error(`zone must be the name of a time zone such as Europe/Berlin, got ${JSON.stringify(zone)}${near}`);
  }
}

/** @throws Error */
function parsed(cron: string, timezone: string): Cron {
  try {
    return new Cron(cron, { timezone, mode: '5-or-6-parts', paused: true });
  } catch (error) {
    const reason = (error as Error).message.replace(/^\w+: /, '');
    throw new Error(`cron ${JSON.stringify(cron.slice(0, 60))} is not valid: ${reason}`, { cause: error });
  }
}

function elapsedTimes(cron: string, zone: string): PlannedTimes {
  const pattern = parsed(cron, zone);
  const next = (after: number): number | undefined => pattern.nextRun(new Date(after))?.getTime();
  return {
    next,
    last: (until) => lastUpTo(until, next, pattern.previousRuns(1, new Date(until))[0]?.getTime()),
  };
}

/** Planned by the clock on the wall of a zone: a wall time is the instant at which a clock in UTC would show it. */
function wallTimes(cron: string, zone: string): PlannedTimes {
  const pattern = parsed(cron, 'UTC');
  const clock = new WallClock(zone);
  const next = (after: number): number | undefined => {
    let wall = pattern.nextRun(new Date(clock.wallAt(after)));
    while (wall !== null) {
      const instant = clock.instantOf(wall.getTime());
      if (instant > after) return instant;
      wall = pattern.nextRun(wall);
    }
    return undefined;
  };
  return {
    next,
    last(until) {
      const [wall] = pattern.previousRuns(1, new Date(clock.wallAt(until)));
      return lastUpTo(until, next, wall && clock.instantOf(wall.getTime()));
    },
  };
}

/** @param from a planned time that is not after the one that is sought */
function lastUpTo(until: number, next: PlannedTimes['next'], from: number | undefined): number | undefined {
  let last = from;
  for (let one = next(from ?? until - 1); one !== undefined && one <= until; one = next(one)) last = one;
  return last;
}

const dayMs = 86_400_000;

/** What a clock on the wall of a zone shows. */
class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(zone: string) {
    this.#format = new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
      ...({ hour: 'numeric', minute: 'numeric', second: 'numeric' } as const),
    });
  }

  wallAt(instant: number): number {
    const found: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
    for (const { type, value } of this.#format.formatToParts(instant)) found[type] = Number(value);
    const { year = 0, month = 1, day, hour, minute, second } = found;
    // milliseconds are the same in each zone
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((instant % 1000) + 1000) % 1000);
  }

  /** The first instant at which the clock shows a time; for one that it skips, the first instant after it. */
  instantOf(wall: number): number {
    const [before, after] = [this.#offsetAt(wall - dayMs), this.#offsetAt(wall + dayMs)];
    const [early, late] = [wall - Math.max(before, after), wall - Math.min(before, after)];
    if (this.wallAt(early) === wall) return early;
    if (this.wallAt(late) === wall) return late;
    return this.#changeBetween(early, late);
  }

  #offsetAt(instant: number): number {
    return this.wallAt(instant) - instant;
  }

  /** The second at which the clock is moved, between two instants of which it is after the first. */
  #changeBetween(early: number, late: number): number {
    const offset = this.#offsetAt(early);
    let [low, high] = [early, late];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      const at = middle <= low ? low + 1000 : middle;
      if (this.#offsetAt(at) === offset) low = at;
      else high = at;
    }
    return high;
  }
}
