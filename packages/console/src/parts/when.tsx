/** A date relative to now, with the exact one on hover; it stays right while it is shown. */
import { useSyncExternalStore } from 'react';
import { exactText, nearText } from './dates.ts';

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

export function When({ value }: { readonly value: string }) {
  useSyncExternalStore(subscribe, () => minutes);
  return (
    <time dateTime={value} title={exactText(value)}>
      {nearText(value)}
    </time>
  );
}
