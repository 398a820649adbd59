/** The description of a model for the caller. */
import type { Actor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { describe, type ModelDescription } from '../models/fields/describe.ts';
import { policyFor } from '../policy/policy.ts';
import { reversesFor } from '../policy/reverses.ts';

export const describedTo = (
  { principal, services }: Pick<Actor, 'principal' | 'services'>,
  model: ModelEntry,
): ModelDescription =>
  describe(
    model,
    policyFor(principal, model).described,
    reversesFor(principal, model, (name) => services.registry.internal(name)),
  );
