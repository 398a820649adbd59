/** The limits of open connections. */
import type { FeatureConfig } from '../../settings/row.ts';

export const eventsConfig = {
  settingsAfter: 'LOGIN_THROTTLE_MAX',
  settings: [
    {
      variable: 'WEBSOCKET_MAX_PER_ADDRESS',
      key: 'websocket.max_per_address',
      kind: 'count',
      default: '1000',
      min: 1,
      meaning: 'Maximum number of open WebSockets and event streams of one address',
    },
    {
      variable: 'WEBSOCKET_MAX_PER_USER',
      key: 'websocket.max_per_user',
      kind: 'count',
      default: '500',
      min: 1,
      meaning: 'Maximum number of open WebSockets and event streams of one user',
    },
  ],
} as const satisfies FeatureConfig;
