/** All settings. The environment, the config file, `.env.example` and `docs/settings.md` follow this table. */
import { featureConfigs } from '../features/configs.ts';
import { coreRows } from './core-rows.ts';
import { mergeRows } from './merge-rows.ts';
import type { FeatureConfig, SettingRow } from './row.ts';

export { featureConfigs };

/** The settings of the core and of features, in the order of the documentation. */
export function settingRowsWith(features: readonly FeatureConfig[]): readonly SettingRow[] {
  const added = features.map(({ settings = [], settingsAfter: after }) => ({ after, rows: settings }));
  return mergeRows<SettingRow>(coreRows, added, ({ variable }) => variable);
}

export const settingRows: readonly SettingRow[] = settingRowsWith(featureConfigs);
