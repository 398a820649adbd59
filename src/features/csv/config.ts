/** The hook of the export as CSV. */
import type { FeatureConfig } from '../../settings/row.ts';

export const csvConfig = { hooks: ['csv'] } as const satisfies FeatureConfig;
