/** The hooks of histories. */
import type { FeatureConfig } from '../../settings/row.ts';

export const historyConfig = { hooks: ['history', 'revert'] } as const satisfies FeatureConfig;
