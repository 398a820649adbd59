/** The hook of bulk writes. */
import type { FeatureConfig } from '../../settings/row.ts';

export const bulkConfig = { hooks: ['bulkwrite'] } as const satisfies FeatureConfig;
