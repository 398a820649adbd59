/** The handle by which a member of a list is dragged to another place. The buttons beside it do the same by keys (WCAG 2.2, 2.5.7). */
import { type PointerEvent, useRef } from 'react';
import { icons, iconSize } from '../../parts/icons.tsx';
import { type EdgeScroll, edgeScroll } from './edge-scroll.ts';
import { rowsOf } from './member-rows.ts';

interface GripParts {
  /** Moves the member by a number of places, negative towards the beginning. */
  readonly move: (by: number) => void;
}

/** A member while it is dragged. */
interface Drag {
  readonly rows: readonly HTMLElement[];
  readonly scroll: EdgeScroll;
  /** The place of the member among the rows. */
  readonly from: number;
  /** The place that it would have. */
  to: number;
}

/** What rows show while a member is dragged; the style sheet has it. */
const [dragged, drop] = ['data-dragged', 'data-drop'] as const;

export function Grip({ move }: GripParts) {
  const drag = useRef<Drag>(undefined);
  const begin = ({ currentTarget, pointerId, button, clientY }: PointerEvent<HTMLElement>): void => {
    if (button !== 0 || currentTarget.matches('fieldset:disabled *')) return;
    const rows = rowsOf(currentTarget);
    const from = rows.findIndex((row) => row.contains(currentTarget));
    currentTarget.setPointerCapture(pointerId);
    rows[from]?.setAttribute(dragged, '');
    const scroll = edgeScroll(currentTarget, clientY, (y) => drag.current && markAt(drag.current, y));
    drag.current = { rows, scroll, from, to: from };
  };
  const point = ({ clientY }: PointerEvent): void => {
    if (drag.current === undefined) return;
    markAt(drag.current, clientY);
    drag.current.scroll.point(clientY);
  };
  const end = (): number => {
    const { rows = [], from = 0, to = 0, scroll } = drag.current ?? {};
    scroll?.end();
    for (const row of rows) for (const name of [dragged, drop]) row.removeAttribute(name);
    drag.current = undefined;
    return to - from;
  };
  return (
    <span
      className="grip"
      aria-hidden
      // no text is selected
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={begin}
      onPointerMove={point}
      onPointerUp={() => {
        const by = end();
        if (by !== 0) move(by);
      }}
      onPointerCancel={end}
    >
      <icons.grip size={iconSize} />
    </span>
  );
}

/** Marks the place at a height of the window. */
function markAt(drag: Drag, y: number): void {
  const { rows, from } = drag;
  const middles = rows.map((row) => row.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
  const before = middles.filter((middle, at) => at !== from && middle < y).length;
  drag.to = before;
  for (const [at, row] of rows.entries()) {
    if (at === before && before !== from) row.setAttribute(drop, before < from ? 'before' : 'after');
    else row.removeAttribute(drop);
  }
}
