/** What a start of the project would warn of in its log, as notices. */
import type { Registry } from '../../models/registry.ts';
import { startWarnings } from '../../models/start-warnings.ts';
import { preload } from '../../preload.ts';
import type { Launch } from '../../start/launch.ts';
import type { Fault } from './faults.ts';

export const startNotices = ({ settings, warnings }: Launch, registry: Registry): readonly Fault[] => [
  ...warnings.map((message) => ({ kind: 'setting' as const, message })),
  ...(preload()?.warnings() ?? []).map((message) => ({ kind: 'jxp' as const, message })),
  ...startWarnings(settings.models_dir, registry.all).map(({ kind, model, message }) => ({
    kind,
    message,
    ...(model === undefined ? {} : { model }),
  })),
];
