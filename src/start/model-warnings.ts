/** The warnings of a start about the models, and the notices of `dossier check`. */
import { type StartWarning, startWarnings } from '../models/loading/start-warnings.ts';
import type { Registry } from '../models/registry.ts';
import { wideRights } from '../policy/wide-rights.ts';
import type { Settings } from '../settings/types.ts';

type Given = Pick<Settings, 'models_dir' | 'signup'>;

/** What a start warns of. @returns the warnings of each model, and those of rights after them */
export const modelWarnings = (settings: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(settings, registry, ({ atStart }) => atStart);

/** The same, with the rights that may well be meant. */
export const modelNotices = (settings: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(settings, registry, () => true);

const warningsOf = (
  { models_dir: folder, signup }: Given,
  { all }: Registry,
  isSaid: (right: { readonly atStart: boolean }) => boolean,
): readonly StartWarning[] => [
  ...startWarnings(folder, all),
  ...wideRights(all, signup !== 'off')
    .filter(isSaid)
    .map(({ code, model, message }) => ({ kind: 'right' as const, code, model, message })),
];
