/** Mutations of a transaction that runs again after a conflict. */
import { cloneOf } from '../../models/mongoose.ts';
import type { Mutation } from '../contract.ts';

/** @returns the mutation, once for each attempt: a document that has been saved cannot be saved again */
export function repeatable<M extends Mutation>(mutation: M): () => M {
  if (mutation.kind !== 'save') return () => mutation;
  const unsaved = cloneOf(mutation.document);
  let next: M | undefined = mutation;
  return () => {
    const attempt = next ?? { ...mutation, document: cloneOf(unsaved) };
    next = undefined;
    return attempt;
  };
}
