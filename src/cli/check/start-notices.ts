/** What a start of the project would warn of in its log, and the rights that are wider than they look, as notices. */
import type { Registry } from '../../models/registry.ts';
import { preload } from '../../preload.ts';
import type { Launch } from '../../start/launch.ts';
import { modelNotices } from '../../start/model-warnings.ts';
import type { Fault } from './faults.ts';

export const startNotices = (launch: Launch, registry: Registry): readonly Fault[] => [
  ...launch.warnings.map((message) => ({ kind: 'setting' as const, message })),
  ...(preload()?.warnings() ?? []).map((message) => ({ kind: 'jxp' as const, message })),
  ...modelNotices(launch, registry).map(({ kind, code, model, message }) => ({
    kind,
    ...(code === undefined ? {} : { code }),
    message,
    ...(model === undefined ? {} : { model }),
  })),
];
