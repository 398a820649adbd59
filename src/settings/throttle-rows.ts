/** The settings of throttles. */
import type { SettingRow } from './row.ts';
import { maxTimerMs } from './timers.ts';

export const throttleRows = [
  {
    variable: 'THROTTLE_ENABLED',
    key: 'throttle.enabled',
    kind: 'switch',
    default: 'true',
    meaning: 'Limits the requests of an address',
  },
  {
    variable: 'THROTTLE_WINDOW_MS',
    key: 'throttle.window_ms',
    kind: 'milliseconds',
    default: '60000',
    min: 1,
    max: maxTimerMs,
    meaning: 'Window of the throttles in milliseconds',
  },
  {
    variable: 'THROTTLE_MAX',
    key: 'throttle.max',
    kind: 'count',
    default: '1000',
    min: 1,
    meaning: 'Maximum number of requests of one address in a window',
  },
  {
    variable: 'THROTTLE_USER_MAX',
    key: 'throttle.user_max',
    kind: 'count',
    default: '0',
    meaning: 'Maximum number of requests of one signed-in user in a window; 0 for no limit',
  },
  {
    variable: 'THROTTLE_SHARED',
    key: 'throttle.shared',
    kind: 'switch',
    default: 'false',
    meaning: 'Whether all servers on one MongoDB count the requests of an address together',
  },
  {
    variable: 'LOGIN_THROTTLE_MAX',
    key: 'throttle.login_max',
    kind: 'count',
    default: '10',
    min: 1,
    meaning: 'Maximum number of failed logins in a window, by address and by account',
  },
] as const satisfies readonly SettingRow[];
