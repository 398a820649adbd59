/** The order of figures, kept in this browser for each user. */
import { apiUrl } from '../../api/client.ts';

const keyOf = (user: string): string => `dossier figures ${apiUrl} ${user}`;

/** The ids of figures in their order. */
export function keptOrder(user: string): readonly string[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(keyOf(user)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : [];
  } catch {
    // a browser may refuse its storage
    return [];
  }
}

export function keepOrder(user: string, ids: readonly string[]): void {
  try {
    window.localStorage.setItem(keyOf(user), JSON.stringify(ids));
  } catch {
    // then none is kept
  }
}

/** Those with a kept place first, in that order; the others as they are. */
export function inOrder<One extends { readonly id: string }>(all: readonly One[], kept: readonly string[]): One[] {
  const placeOf = ({ id }: One): number => (kept.includes(id) ? kept.indexOf(id) : kept.length);
  return all.toSorted((one, other) => placeOf(one) - placeOf(other));
}
