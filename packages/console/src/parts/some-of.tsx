/** The first of many things, with a button that shows more of them. */
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';

/** Things that are shown at first, and each time. */
const step = 50;

export function useSome<Thing>(things: readonly Thing[]): readonly [shown: readonly Thing[], more: ReactNode] {
  const [count, setCount] = useState(step);
  const left = things.length - count;
  const more =
    left <= 0 ? null : (
      <Button size="compact-xs" variant="default" onClick={() => setCount(count + step)}>
        Show {Math.min(step, left)} more of {left}
      </Button>
    );
  return [things.slice(0, count), more];
}
