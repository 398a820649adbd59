/** When a schedule runs: its expression, its zone, and what happens when runs meet or are missed. */
import { type PlannedTimes, plannedTimes } from '../../adapters/planned-times.ts';
import { readDuration } from '../../models/options/durations.ts';
import { maxTimerMs } from '../../text/durations.ts';
import { suggestion } from '../../text/nearest.ts';

/** When a schedule runs, as model files and configs give it. */
export interface Timing {
  /** Five or six fields: an optional second, minute, hour, day of the month, month, day of the week. */
  readonly cron: string;
  /** A name of the IANA database such as `Europe/Berlin`; UTC by default. */
  readonly zone?: string;
  /** What happens at a planned time while the last run is not over: nothing (the default), or one run follows it. */
  readonly overlap?: 'skip' | 'wait';
  /** What follows planned times at which no server was there, and runs of servers that died: nothing (the default), or one run. */
  readonly missed?: 'once' | 'skip';
  /** After which duration the `signal` of a run is aborted, such as `5m`, the default. */
  readonly timeout?: string;
}

/** A timing, checked and complete. */
export interface ReadTiming {
  readonly cron: string;
  readonly zone: string;
  readonly overlap: 'skip' | 'wait';
  readonly missed: 'once' | 'skip';
  readonly timeoutMs: number;
  readonly times: PlannedTimes;
}

export const timingKeys: readonly string[] = ['cron', 'zone', 'overlap', 'missed', 'timeout'];

/** @param where names the schedule @throws Error */
export function readTiming(where: string, given: Readonly<Record<string, unknown>>): ReadTiming {
  const { cron, zone = 'UTC', overlap, missed, timeout = '5m' } = given;
  if (typeof cron !== 'string')
    throw new Error(`${where}.cron must be text such as "0 3 * * *", got ${valueText(cron)}`);
  if (typeof zone !== 'string')
    throw new Error(`${where}.zone must be the name of a time zone such as Europe/Berlin, got ${valueText(zone)}`);
  return {
    ...{ cron, zone },
    overlap: readChoice(`${where}.overlap`, overlap, ['skip', 'wait']),
    missed: readChoice(`${where}.missed`, missed, ['skip', 'once']),
    timeoutMs: readTimeout(`${where}.timeout`, timeout),
    times: timesOf(where, cron, zone),
  };
}

function timesOf(where: string, cron: string, zone: string): PlannedTimes {
  try {
    return plannedTimes(cron, zone);
  } catch (error) {
    throw new Error(`${where}.${(error as Error).message}`, { cause: error });
  }
}

function readTimeout(where: string, given: unknown): number {
  const ms = readDuration(where, given);
  if (ms > maxTimerMs) throw new Error(`${where} must be at most 24d, got ${valueText(given)}`);
  return ms;
}

/** @param choices the first is the default */
function readChoice<const C extends string>(where: string, given: unknown, choices: readonly [C, ...C[]]): C {
  if (given === undefined) return choices[0];
  const found = choices.find((choice) => choice === given);
  if (found !== undefined) return found;
  const words = choices.map((choice) => JSON.stringify(choice)).join(' or ');
  throw new Error(`${where} must be ${words}, got ${valueText(given)}${suggestion(String(given), choices)}`);
}

/** A value as messages show it. */
export const valueText = (value: unknown): string => (JSON.stringify(value) ?? typeof value).slice(0, 60);
