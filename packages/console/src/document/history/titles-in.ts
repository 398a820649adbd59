/** The titles of the documents, and the names of the users, that steps name. */
import { useNames } from '../../api/names.ts';
import type { Fields } from '../../api/places.ts';
import { type Reference, useTitles } from '../../api/titles.ts';
import { referencesIn } from './entries.ts';
import type { Step } from './steps.ts';

interface TitlesIn {
  /** As far as the caller may read what is linked. */
  readonly titleOf: (reference: Reference) => string | undefined;
  readonly nameOf: (id: string | null) => string;
}

/** @param others users that are named besides */
export function useTitlesIn(model: Fields, steps: readonly Step[], others: readonly (string | null)[] = []): TitlesIn {
  const references = referencesIn(model, steps);
  const isUser = (reference: Reference): boolean => reference.model === 'user';
  const nameOf = useNames([...others, ...references.filter(isUser).map(({ id }) => String(id))]);
  const titleOf = useTitles(references.filter((one) => !isUser(one)));
  return { nameOf, titleOf: (one) => (isUser(one) ? nameOf(String(one.id)) : titleOf(one)) };
}
