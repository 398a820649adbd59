/** All settings. The environment, the config file, `.env.example` and `docs/settings.md` follow this table. */
import { featureConfigs } from '../features/configs.ts';
import { coreRows } from './core-rows.ts';
import type { FeatureConfig, SettingRow } from './row.ts';

/** The settings of the core and of features, in the order of the documentation. */
export function settingRowsWith(features: readonly FeatureConfig[]): readonly SettingRow[] {
  const core: readonly SettingRow[] = coreRows;
  const isPlaced = ({ settingsAfter }: FeatureConfig): boolean =>
    core.some(({ variable }) => variable === settingsAfter);
  const rowsOf = (some: readonly FeatureConfig[]): readonly SettingRow[] =>
    some.flatMap(({ settings = [] }) => settings);
  return [
    ...core.flatMap((row) => [row, ...rowsOf(features.filter(({ settingsAfter }) => settingsAfter === row.variable))]),
    ...rowsOf(features.filter((feature) => !isPlaced(feature))),
  ];
}

export const settingRows: readonly SettingRow[] = settingRowsWith(featureConfigs);
