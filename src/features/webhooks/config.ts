/** The settings of webhooks. */
import type { FeatureConfig } from '../../settings/row.ts';

export const webhooksConfig = {
  mails: ['webhook_off'],
  settingsAfter: 'AUDIT_DAYS',
  settings: [
    {
      variable: 'WEBHOOK_TIMEOUT',
      key: 'webhook.timeout',
      kind: 'seconds',
      default: '15',
      min: 1,
      max: 300,
      meaning: 'Time that the receiver of a webhook has for its answer',
    },
    {
      variable: 'WEBHOOK_RETRIES',
      key: 'webhook.retries',
      kind: 'durations',
      default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
      meaning: 'Pauses after failed tries of a delivery; after the last one it is dead',
    },
    {
      variable: 'WEBHOOK_KEEP',
      key: 'webhook.keep',
      kind: 'duration',
      default: '30d',
      meaning: 'Time for which deliveries that have ended are kept',
    },
    {
      variable: 'WEBHOOK_ALLOW',
      key: 'webhook.allow',
      kind: 'hosts',
      default: undefined,
      notInProduction: { value: '*', rule: 'must name hosts, addresses or ranges in production, not *' },
      meaning:
        'Hosts, addresses and ranges that webhooks may reach although they are not public; `*` for all, in development',
    },
  ],
} as const satisfies FeatureConfig;
