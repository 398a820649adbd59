/** The option `schedules` of model files. */
import type { AddedOption } from '../../models/options/added-option.ts';
import { isObject } from '../../models/plain-object.ts';
import { suggestion } from '../../text/nearest.ts';
import { type ReadTiming, readTiming, type Timing, timingKeys, valueText } from './timing.ts';

interface ModelSchedule extends Timing {
  /** The name of a static, which is called with `(input, { api, log, signal })`. */
  readonly call: string;
  readonly input?: unknown;
}

export interface ScheduleFileOptions {
  /** What runs by itself: name → static and planned times, such as `{ nightly: { call: 'tidy', cron: '0 3 * * *' } }`. */
  schedules?: Readonly<Record<string, ModelSchedule>>;
}

/** The schedules of a model by their names; undefined for a model without. */
export const schedulesOption: AddedOption<ReadonlyMap<string, ReadSchedule> | undefined> = {
  name: 'schedules',
  meaning: 'What runs by itself: name → { call, cron, zone, input, overlap, missed, timeout }',
  read: readSchedules,
};

export interface ReadSchedule extends ReadTiming {
  readonly call: string;
  readonly input: unknown;
}

const modelKeys: readonly string[] = ['call', 'input', ...timingKeys];

/** Names of schedules, which are in paths. */
const validName = /^[a-z][\w-]{0,59}$/i;

/**
 * Checks the option.
 * @param statics names of the schema's statics
 * @throws Error that names the schedule and the part, and what is accepted
 */
function readSchedules(value: unknown, statics: ReadonlySet<string>): ReadonlyMap<string, ReadSchedule> | undefined {
  if (value === undefined) return undefined;
  if (!isObject(value)) throw new Error('schedules must be an object: name → { call, cron, … }');
  return new Map(
    Object.entries(value).map(([name, given]) => [name, Object.freeze(readSchedule(name, given, statics))]),
  );
}

function readSchedule(name: string, given: unknown, statics: ReadonlySet<string>): ReadSchedule {
  const where = `schedules.${name}`;
  if (!validName.test(name))
    throw new Error(`${where}: the name must start with a letter and continue with letters, digits, _ and -`);
  if (!isObject(given)) throw new Error(`${where} must be an object: { call, cron, … }`);
  refuseUnknownKeys(where, given, modelKeys);
  const { call, input } = given;
  if (typeof call !== 'string' || !statics.has(call))
    throw new Error(
      `${where}.call must be the name of a static of the schema, got ${valueText(call)}${suggestion(String(call), statics)}`,
    );
  return { ...readTiming(where, given), call, input: readInput(where, input) };
}

/** A copy, so that no run changes the input of the next one. */
function readInput(where: string, input: unknown): unknown {
  try {
    return structuredClone(input);
  } catch (error) {
    throw new Error(`${where}.input must consist of plain values`, { cause: error });
  }
}

function refuseUnknownKeys(where: string, given: object, known: readonly string[]): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new Error(`${where}.${unknown} is unknown; there are ${known.join(', ')}${suggestion(unknown, known)}`);
}
