/** The hook of aggregations. */
import type { FeatureConfig } from '../../settings/row.ts';

export const aggregateConfig = { hooks: ['aggregate'] } as const satisfies FeatureConfig;
