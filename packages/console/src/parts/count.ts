/** The number of documents, as exactly as the server reports it. */
import type { Page } from 'dossier-client';
import { numberText } from './numbers.ts';

export const documentsText = (count: number): string =>
  `${numberText(count)} ${count === 1 ? 'document' : 'documents'}`;

export function countText({ count, count_is }: Pick<Page<unknown>, 'count' | 'count_is'>): string {
  if (count === undefined || count < 0) return 'not counted';
  const text = documentsText(count);
  return count_is === 'at_least' ? `at least ${text}` : count_is === 'estimate' ? `about ${text}` : text;
}
