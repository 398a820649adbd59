/** The reverse links of a model that a caller may follow. */
import type { ModelEntry, ReverseLink } from '../models/entry.ts';
import { policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

/** @param named finds a model by its name; undefined for one that is not served */
export const reversesFor = (
  principal: Principal,
  model: ModelEntry,
  named: (name: string) => ModelEntry | undefined,
): readonly ReverseLink[] =>
  model.reverses.filter(({ model: name, path, local }) => {
    const source = named(name);
    if (source === undefined) return false;
    const policy = policyFor(principal, source);
    return (
      !source.options.internal &&
      policy.permits('r') &&
      policy.view.shows(path) &&
      policyFor(principal, model).view.shows(local)
    );
  });
