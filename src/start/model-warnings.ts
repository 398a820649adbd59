/** The warnings of a start about the models, and the notices of `dossier check`. */
import { type StartWarning, startWarnings } from '../models/loading/start-warnings.ts';
import type { Registry } from '../models/registry.ts';
import { wideRights } from '../policy/wide-rights.ts';
import { isOpenToNewUsers } from './features.ts';
import type { Launch } from './launch.ts';

type Given = Pick<Launch, 'features' | 'settings'>;

/** What a start warns of. @returns the warnings of each model, and those of rights after them */
export const modelWarnings = (launch: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(launch, registry, ({ atStart }) => atStart);

/** The same, with the rights that may well be meant. */
export const modelNotices = (launch: Given, registry: Registry): readonly StartWarning[] =>
  warningsOf(launch, registry, () => true);

const warningsOf = (
  launch: Given,
  { all }: Registry,
  isSaid: (right: { readonly atStart: boolean }) => boolean,
): readonly StartWarning[] => [
  ...startWarnings(launch.settings.models_dir, all),
  ...wideRights(all, isOpenToNewUsers(launch))
    .filter(isSaid)
    .map(({ code, model, message }) => ({ kind: 'right' as const, code, model, message })),
];
