/** The number of documents, as exactly as the server reports it. */
import type { Page } from 'dossier-client';
import { numberText } from './numbers.ts';

export const documentsText = (count: number, noun = 'document'): string =>
  `${numberText(count)} ${count === 1 ? noun : `${noun}s`}`;

type Counted = Pick<Page<unknown>, 'count' | 'count_is'>;

/** The same where there is little room, such as “10,000+”. */
export const shortCount = ({ count = 0, count_is }: Counted): string =>
  `${numberText(count)}${count_is === 'at_least' ? '+' : ''}`;

/** @param noun for one of them */
export function countText({ count, count_is }: Counted, noun?: string): string {
  if (count === undefined || count < 0) return 'not counted';
  const text = documentsText(count, noun);
  return count_is === 'at_least' ? `at least ${text}` : count_is === 'estimate' ? `about ${text}` : text;
}
