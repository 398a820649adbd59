/** Turns at something of which only so many may be done at once; the others wait, in the order in which they came. */
import { busy } from '../errors.ts';

export interface Turns {
  /** @returns what gives the turn back, once @throws 503 when too many wait already */
  take(): Promise<() => void>;
}

export function makeTurns(atOnce: number, mostWaiting: number): Turns {
  const waiting: (() => void)[] = [];
  let taken = 0;
  const give = (): void => {
    const next = waiting.shift();
    // whoever is next takes over the turn
    if (next === undefined) taken -= 1;
    else next();
  };
  return {
    async take() {
      if (taken < atOnce) taken += 1;
      else if (waiting.length >= mostWaiting) throw busy();
      else await new Promise<void>((begin) => waiting.push(begin));
      let held = true;
      return () => {
        if (held) give();
        held = false;
      };
    },
  };
}
