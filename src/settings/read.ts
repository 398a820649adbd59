/** Reads, checks and freezes all settings at once. Only this file reads the environment. */
import { config as readDotenv } from 'dotenv';
import { emailRule, isEmail, plainEmail } from '../text/email.ts';
import { deepFreeze } from './freeze.ts';
import { kindReaders } from './kinds.ts';
import type { SettingRow } from './row.ts';
import { settingRows } from './table.ts';
import type { Settings, SettingsInput } from './types.ts';

/** The faults of the settings, which stop the start; each names its variable. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join('\n'), { cause });
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * Awaits a step of the start.
 * @param variable the setting to blame if the step fails
 * @throws SettingsError that names the variable and the reason, without the password of a URL
 */
export async function blameSetting<T>(variable: string | ((error: unknown) => string), step: Promise<T>): Promise<T> {
  try {
    return await step;
  } catch (error) {
    const name = typeof variable === 'string' ? variable : variable(error);
    const reasons = error instanceof SettingsError ? error.faults : [firstLine(error)];
    throw new SettingsError(
      reasons.map((reason) => `${name}: ${reason.replace(/\/\/[^\s/]*@/g, '//')}`),
      error,
    );
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';

/** The environment and the `.env` file of the working folder; the environment takes precedence. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  readDotenv({ quiet: true });
  return process.env;
}

/**
 * Reads settings from an environment, then from a config's keys, then from the table's defaults.
 * @param rows those of other features than the list has
 * @throws SettingsError with one line per fault
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
  given: SettingsInput = {},
  rows: readonly SettingRow[] = settingRows,
): Settings {
  const faults: string[] = [];
  const settings: Record<string, unknown> = { production: environment['NODE_ENV'] === 'production' };
  for (const row of rows) {
    const value = valueOf(row, environment, given, faults);
    place(settings, row.key, value);
  }
  const isSet = (key: string): boolean =>
    rows.some((row) => row.key === key && textFor(row, environment, given) !== undefined);
  const between = [
    ...faultsBetween(settings as unknown as Settings, isSet),
    ...needFaults(rows, settings),
    ...shortSecrets(rows, settings),
    ...onlyInDevelopment(rows, settings),
  ];
  faults.push(...between.filter((fault) => !isReported(fault, faults)));
  if (faults.length > 0) throw new SettingsError(faults);
  return deepFreeze(settings) as unknown as Settings;
}

/** The settings for work that faulty ones do not prevent, which have their defaults here. */
export function readDespiteFaults(
  environment: Readonly<Record<string, string | undefined>>,
  given: SettingsInput = {},
  rows: readonly SettingRow[] = settingRows,
): Settings {
  const settings: Record<string, unknown> = {};
  for (const row of rows) place(settings, row.key, valueOf(row, environment, given, []) ?? valueOf(row, {}, {}, []));
  return settings as unknown as Settings;
}

function valueOf(
  row: SettingRow,
  environment: Readonly<Record<string, string | undefined>>,
  given: SettingsInput,
  faults: string[],
): unknown {
  const text = textFor(row, environment, given) ?? row.default;
  if (text === undefined) return undefined;
  try {
    return kindReaders[row.kind](text, row);
  } catch (error) {
    faults.push(`${row.variable}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

/** The text of a setting, from the environment, otherwise from the config. */
function textFor(
  { variable, key }: SettingRow,
  environment: Readonly<Record<string, string | undefined>>,
  given: SettingsInput,
): string | undefined {
  const text = environment[variable];
  return text === undefined || text === '' ? textOf(look(given, key)) : text.trim();
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null ? undefined : Array.isArray(value) ? value.join(',') : String(value);

function look(given: object, key: string): unknown {
  let value: unknown = given;
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function place(settings: Record<string, unknown>, key: string, value: unknown): void {
  const [section = '', name] = key.split('.');
  if (name === undefined) settings[section] = value;
  else settings[section] = { ...(settings[section] as object | undefined), [name]: value };
}

/** Whether a setting of the same section already has a fault, so that a rule between them is not reported. */
const isReported = (fault: string, faults: readonly string[]): boolean =>
  faults.some((other) => other.split('_', 1)[0] === fault.split('_', 1)[0]);

/** Checks rules between settings. A default that conflicts with a given setting is not a fault. */
function faultsBetween(settings: Settings, isSet: (key: string) => boolean): string[] {
  const faults: string[] = [];
  const limits = settings.query_limits;
  if (limits.default > limits.max && isSet('query_limits.default'))
    faults.push('QUERY_LIMITS_DEFAULT: must not be larger than QUERY_LIMITS_MAX');
  if (settings.production && settings.bcrypt_cost < 10) faults.push('BCRYPT_COST: must be at least 10 in production');
  if (settings.production && (settings.shared_secret?.length ?? 0) < 16)
    faults.push('SHARED_SECRET: must be set in production, to at least 16 random characters');
  if (settings.shared_secret_previous !== undefined && settings.shared_secret === undefined)
    faults.push('SHARED_SECRET_PREVIOUS: needs SHARED_SECRET, the secret that took its place');
  const { email: admin } = settings.admin;
  if (admin !== undefined && settings.login_field === 'email' && !isEmail(plainEmail(admin)))
    faults.push(`ADMIN_EMAIL: ${emailRule}`);
  else if ((admin === undefined) !== (settings.admin.password === undefined))
    faults.push('ADMIN_EMAIL: ADMIN_EMAIL and ADMIN_PASSWORD must be set together');
  if ((settings.admin.password?.length ?? Infinity) < settings.password_min_length)
    faults.push('ADMIN_PASSWORD: must have at least PASSWORD_MIN_LENGTH characters');
  if (settings.pool.min !== undefined && settings.pool.min > (settings.pool.size ?? Infinity))
    faults.push('POOL_MIN: must not be larger than POOL_SIZE');
  return faults;
}

/** The settings that are not set, and must be with the value of another one. */
const needFaults = (rows: readonly SettingRow[], settings: object): readonly string[] =>
  rows.flatMap(({ variable, key, needs = {} }) => {
    const value = String(look(settings, key));
    const isMissing = (needed: string): boolean =>
      rows.some((row) => row.variable === needed && look(settings, row.key) === undefined);
    return (Object.hasOwn(needs, value) ? (needs[value] ?? []) : [])
      .filter(isMissing)
      .map((needed) => `${needed}: must be set when ${variable} is ${value}`);
  });

/** The secrets that can be guessed, in production. */
const shortSecrets = (rows: readonly SettingRow[], settings: object): readonly string[] =>
  rows.flatMap(({ variable, key, minInProduction = 0 }) => {
    const value = look(settings, key);
    if (look(settings, 'production') !== true || typeof value !== 'string' || value.length >= minInProduction)
      return [];
    return [`${variable}: must have at least ${minInProduction} random characters in production`];
  });

/** The faults of values that are refused in production. */
const onlyInDevelopment = (
  rows: readonly SettingRow[],
  settings: Readonly<Record<string, unknown>>,
): readonly string[] =>
  settings['production'] !== true
    ? []
    : rows.flatMap(({ variable, key, notInProduction: refused }) => {
        const value = look(settings, key);
        return refused !== undefined && Array.isArray(value) && value.includes(refused.value)
          ? [`${variable}: ${refused.rule}`]
          : [];
      });
