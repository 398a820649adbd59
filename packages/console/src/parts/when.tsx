/** Dates in texts and tables, with the exact one on hover. */
import { useSyncExternalStore } from 'react';
import { dateText, exactText, nearText } from './dates.ts';

const minute = 60_000;

/** One timer for all dates of the page, which runs while there are some. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let minutes = 0;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    minutes += 1;
    for (const one of listeners) one();
  }, minute);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** A time that the server has noted, relative to now; it stays right while it is shown. */
export function When({ value }: { readonly value: string }) {
  useSyncExternalStore(subscribe, () => minutes);
  return (
    <time dateTime={value} title={exactText(value)} data-printed={dateText(value)}>
      {nearText(value)}
    </time>
  );
}

/** A date of a document: a day, or a day with its time. */
export const Dated = ({ value }: { readonly value: string }) => (
  <time dateTime={value} title={exactText(value)}>
    {dateText(value)}
  </time>
);
