/**
 * The configuration of the features of the list, which is read before they are loaded. A test holds it to the list; other features
 * have none.
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

export type { SignedUpHook, VerifiedHook } from './account-hooks/config.ts';
export type { OAuthConfig, OAuthProvider } from './oauth/config.ts';
export type { ConfigSchedule } from './schedules/config.ts';

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
