/** Mutations of a transaction that runs again after a conflict. */
import { cloneOf } from '../../models/mongoose.ts';
import type { Mutation } from '../contract.ts';

/** @returns the mutation, once for each attempt: a document that has been saved cannot be saved again */
export function mutationPerAttempt(mutation: Mutation): () => Mutation {
  if (!('document' in mutation)) return () => mutation;
  const unsaved = cloneOf(mutation.document);
  let next: Mutation | undefined = mutation;
  return () => {
    const attempt = next ?? { ...mutation, document: cloneOf(unsaved) };
    next = undefined;
    return attempt;
  };
}
