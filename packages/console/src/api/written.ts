/** Reports that this page has written documents. */

type Listener = () => void;

const listeners = new Set<Listener>();

/** Requests that may change documents, by the first part of their path. */
const writes = /\/(api|update|batch|bulkwrite|call|history|setup)(\/|\?|$)/;

/** A `fetch` that reports writes of documents when they have been answered. @param url the address of the API @param fetch sends them */
export const reportingFetch =
  (url: string, fetch: (input: string, init?: RequestInit) => Promise<Response>) =>
  async (input: string, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(input, init);
    const isWrite = (init?.method ?? 'GET') !== 'GET' && writes.test(input.slice(url.length));
    if (isWrite && answer.ok) for (const listener of listeners) listener();
    return answer;
  };

/** @returns ends it */
export function onWritten(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
