/** What the search over all models offers: models by name, documents, and all results of a model. */
import { detailOf, titleOf } from '../api/fields.ts';
import { iconOf, labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { documentPath, hrefOf } from '../route.ts';
import { type FoundGroup, modelsNamed } from './search-all.ts';

export interface Option {
  /** The heading above it and those of the same group. */
  readonly group: string;
  readonly label: string;
  readonly detail?: string;
  readonly href: string;
}

/** Options in the order of their groups. */
export function optionsFor(models: readonly OwnModel[], groups: readonly FoundGroup[], sought: string): Option[] {
  if (sought === '') return [];
  const named = modelsNamed(models, sought).map((model) => ({
    group: 'Models',
    label: withIcon(model),
    href: hrefOf(['documents', model.name]),
  }));
  return [...named, ...groups.flatMap((group) => optionsOf(group, sought))];
}

/** The label of a model, behind its icon where that is a text. */
const withIcon = (model: OwnModel): string =>
  [iconOf(model) === model.icon ? model.icon : undefined, labelOfModel(model)].filter(Boolean).join(' ');

function optionsOf({ model, documents, hasMore }: FoundGroup, sought: string): Option[] {
  const group = withIcon(model);
  const found = documents.map((document) => ({
    group,
    label: titleOf(document, model),
    detail: detailOf(document, model),
    href: hrefOf(documentPath(model.name, document._id)),
  }));
  const all = { group, label: `All results in ${labelOfModel(model)}` };
  return hasMore ? [...found, { ...all, href: hrefOf(['documents', model.name], { search: sought }) }] : found;
}
