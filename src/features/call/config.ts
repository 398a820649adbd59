/** The hook of calls of functions. */
import type { FeatureConfig } from '../../settings/row.ts';

export const callConfig = { hooks: ['call'] } as const satisfies FeatureConfig;
