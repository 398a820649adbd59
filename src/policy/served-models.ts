/** Finds a served model by its name for a caller. A name that no model has is a 404 that suggests a model which the caller may see. */
import { type Failure, unknownModel } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { pluralOf } from '../models/loading/model-names.ts';
import type { Registry } from '../models/registry.ts';
import { didYouMean, nearestName } from '../text/nearest.ts';
import { maySee } from './grants.ts';
import type { Principal } from './principal.ts';

/** The model with a name, for an operation that describes it. @throws 404, the same for a model that the caller may not see */
export function visibleModel(registry: Registry, name: string, principal: Principal): ModelEntry {
  const found = registry.find(name);
  if (found === undefined || !maySee(principal, found)) throw noModel(registry, name, principal);
  return found;
}

/** The 404 for a name that no model has. */
export const noModel = (registry: Registry, name: string, principal: Principal): Failure =>
  unknownModel(name, modelSuggestion(registry, name, principal));

/** The end of a message that suggests the model of which a name is a misspelling or the plural; empty if the caller may see none. */
export function modelSuggestion({ served }: Registry, name: string, principal: Principal): string {
  const byForm = new Map<string, string>();
  for (const model of served)
    if (maySee(principal, model)) byForm.set(model.name, model.name).set(pluralOf(model.name), model.name);
  const found = byForm.get(nearestName(name, byForm.keys()) ?? '');
  return found === undefined ? '' : didYouMean(found);
}
