/**
 * The documents that a user has opened last, kept in this browser for each user: their models and ids alone. Titles are read
 * again, so that nothing is shown that the user may no longer read.
 */
import { apiUrl } from '../api/client.ts';
import { readRecent, type Recent, withRecent } from './recent-list.ts';

/** Several servers may be at one origin. */
const keyOf = (user: string): string => `dossier recent ${apiUrl} ${user}`;

/** The recent documents of a user, the last one first. */
export function recentOf(user: string): Recent[] {
  try {
    return readRecent(window.localStorage.getItem(keyOf(user)));
  } catch {
    // a browser may refuse its storage
    return [];
  }
}

/** Keeps that a user has opened a document. */
export function keepRecent(user: string, recent: Recent): void {
  try {
    window.localStorage.setItem(keyOf(user), JSON.stringify(withRecent(recentOf(user), recent)));
  } catch {
    // then none are kept
  }
}
