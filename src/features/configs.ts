/**
 * The configuration of the features of the list, which is read before they are loaded. A test holds it to the list; other features
 * have none.
 */
import { auditConfig } from './audit/config.ts';
import { cacheConfig } from './cache/config.ts';
import { callConfig } from './call/config.ts';
import { csvConfig } from './csv/config.ts';
import { mcpConfig } from './mcp/config.ts';

export const featureConfigs = [csvConfig, cacheConfig, callConfig, auditConfig, mcpConfig] as const;
export type FeatureConfigs = typeof featureConfigs;
