/**
 * The configuration of the features of the list, which is read before they are loaded; other features have none.
 * Derived from the folders of the features by `npm run lists`.
 */
import { accountHooksConfig } from './account-hooks/config.ts';
import { aggregateConfig } from './aggregate/config.ts';
import { auditConfig } from './audit/config.ts';
import { backupsConfig } from './backups/config.ts';
import { bulkConfig } from './bulk/config.ts';
import { cacheConfig } from './cache/config.ts';
import { callConfig } from './call/config.ts';
import { changedConfig } from './changed/config.ts';
import { consoleConfig } from './console/config.ts';
import { csvConfig } from './csv/config.ts';
import { eventsConfig } from './events/config.ts';
import { historyConfig } from './history/config.ts';
import { indexesConfig } from './indexes/config.ts';
import { jobsConfig } from './jobs/config.ts';
import { mcpConfig } from './mcp/config.ts';
import { metricsConfig } from './metrics/config.ts';
import { oauthConfig } from './oauth/config.ts';
import { routesConfig } from './routes/config.ts';
import { schedulesConfig } from './schedules/config.ts';
import { factorConfig } from './second-factor/config.ts';
import { signUpConfig } from './sign-up/config.ts';
import { webhooksConfig } from './webhooks/config.ts';

export const featureConfigs = [
  factorConfig,
  oauthConfig,
  aggregateConfig,
  csvConfig,
  cacheConfig,
  indexesConfig,
  backupsConfig,
  metricsConfig,
  bulkConfig,
  callConfig,
  schedulesConfig,
  routesConfig,
  jobsConfig,
  eventsConfig,
  webhooksConfig,
  signUpConfig,
  accountHooksConfig,
  historyConfig,
  changedConfig,
  auditConfig,
  consoleConfig,
  mcpConfig,
] as const;
export type FeatureConfigs = typeof featureConfigs;
