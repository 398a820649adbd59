/** What the search over all models offers: models by name, saved views by title, documents, and all results of a model. */
import { detailOf, titleOf } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { isFigure, type SavedView, viewHref } from '../api/saved-views.ts';
import { documentPath, hrefOf } from '../route.ts';
import { type FoundGroup, modelsNamed } from './search-all.ts';

export interface Option {
  /** The heading above it and those of the same group. */
  readonly group: string;
  /** The model of the group, whose icon is beside the heading. */
  readonly groupModel?: OwnModel;
  readonly label: string;
  /** The model that it is. */
  readonly model?: OwnModel;
  readonly detail?: string;
  readonly href: string;
}

interface Found {
  readonly models: readonly OwnModel[];
  readonly views: readonly SavedView[];
  readonly groups: readonly FoundGroup[];
}

/** Saved views that are offered. */
const maxViews = 5;

/** Options in the order of their groups. */
export function optionsFor({ models, views, groups }: Found, sought: string): Option[] {
  if (sought === '') return [];
  const named = modelsNamed(models, sought).map((model) => ({
    group: 'Models',
    label: labelOfModel(model),
    model,
    href: hrefOf(['documents', model.name]),
  }));
  const saved = views
    .filter((view) => !isFigure(view) && view.title.toLowerCase().includes(sought.toLowerCase()))
    .slice(0, maxViews)
    .map((view) => ({ view, model: models.find(({ name }) => name === view.model) }))
    .map(({ view, model }) => ({
      ...{ group: 'Views', label: view.title, href: viewHref(view) },
      ...(model === undefined ? {} : { detail: labelOfModel(model) }),
    }));
  return [...named, ...saved, ...groups.flatMap((group) => optionsOf(group, sought))];
}

function optionsOf({ model, documents, hasMore }: FoundGroup, sought: string): Option[] {
  const group = labelOfModel(model);
  const found = documents.map((document) => ({
    ...{ group, groupModel: model },
    label: titleOf(document, model),
    detail: detailOf(document, model),
    href: hrefOf(documentPath(model.name, document._id)),
  }));
  const all = { group, groupModel: model, label: `All results in ${group}` };
  return hasMore ? [...found, { ...all, href: hrefOf(['documents', model.name], { search: sought }) }] : found;
}
