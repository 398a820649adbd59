/** Tries again what has failed for a reason that passes by itself. */
import { useEffect, useEffectEvent, useState } from 'react';
import { connection, onConnection } from '../api/connection.ts';

/** Milliseconds before another try, unless the server states more. */
const pause = 5000;

/**
 * Tries again after a pause, when the server answers again, and when the browser is online again.
 * @param retry undefined where nothing is tried again
 * @returns the seconds that are left
 */
export function useRetry(retry: (() => void) | undefined): number {
  const [due] = useState(() => dueFrom(Date.now()));
  const seconds = useSecondsTo(due);
  const tryAgain = useEffectEvent(() => retry?.());
  const isOffered = retry !== undefined;
  useEffect(() => {
    if (!isOffered) return undefined;
    const timer = setTimeout(tryAgain, due - Date.now());
    const stop = onConnection(() => {
      if (connection().is === 'fine') tryAgain();
    });
    window.addEventListener('online', tryAgain);
    return () => {
      clearTimeout(timer);
      stop();
      window.removeEventListener('online', tryAgain);
    };
  }, [due, isOffered]);
  return seconds;
}

/** When a try after a failure of now is due. */
function dueFrom(now: number): number {
  const state = connection();
  return state.is === 'busy' ? Math.max(now + pause, state.until) : now + pause;
}

/** The whole seconds until a time, which are counted while they are shown. */
export function useSecondsTo(time: number): number {
  const [seconds, setSeconds] = useState(() => secondsTo(time));
  useEffect(() => {
    setSeconds(secondsTo(time));
    const timer = setInterval(() => setSeconds(secondsTo(time)), 1000);
    return () => clearInterval(timer);
  }, [time]);
  return seconds;
}

const secondsTo = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000));

/** A pause in words. */
export const secondsText = (seconds: number): string =>
  seconds <= 0 ? 'now' : seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`;
