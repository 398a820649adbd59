/** The schedules of a config, by their names. The start reads their times when it makes the service. */
import type { Api, ProgramLog } from '../../api/contract.ts';
import type { ConfigCheck, FeatureConfig } from '../../settings/row.ts';
import type { Timing } from './timing.ts';

/** What a schedule of a config receives. */
interface ScheduleUse {
  /** Acts as the system: it has all rights and is no user. */
  readonly api: Api;
  readonly log: ProgramLog;
  /** Aborted by the timeout, and when the server stops. */
  readonly signal: AbortSignal;
  /** When the run was planned. */
  readonly planned: Date;
}

export interface ConfigSchedule extends Timing {
  readonly run: (use: ScheduleUse) => unknown;
}

type SchedulesConfig = Readonly<Record<string, ConfigSchedule>>;

const keys = ['run', 'cron', 'zone', 'overlap', 'missed', 'timeout'];

/** The faults of the names and parts, one sentence each. */
const scheduleFaults: ConfigCheck<SchedulesConfig> = (config) => {
  if (!isObject(config)) return ['schedules must be an object: name → { cron, run, … }'];
  return Object.entries(config).flatMap(([name, schedule]) => {
    const where = `schedules.${name}`;
    if (!/^[a-z][\w-]{0,59}$/i.test(name))
      return [`${where}: the name must start with a letter and continue with letters, digits, _ and -`];
    if (!isObject(schedule)) return [`${where} must be an object: { cron, run, … }`];
    const unknown = Object.keys(schedule).filter((key) => !keys.includes(key));
    return [
      ...unknown.map((key) => `${where}.${key} is unknown; expected one of ${keys.join(', ')}`),
      ...(typeof schedule['run'] === 'function' ? [] : [`${where}.run must be a function`]),
    ];
  });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const schedulesConfig = { sections: { schedules: scheduleFaults } } as const satisfies FeatureConfig;
