/** Scrolls what holds an element while a pointer that drags it is near the upper or lower edge. */

/** Pixels from an edge within which it scrolls: what stays in sight at the edges, such as the title and _Save_, is lower than that. */
const zone = 110;
/** Pixels a second at the edge. */
const maxSpeed = 1200;
/** Milliseconds of a frame that count at most: one after a pause of the page is no leap. */
const maxFrame = 50;

interface Edges {
  readonly top: number;
  readonly bottom: number;
}

/**
 * Pixels a second, negative upwards; 0 between the zones. A low window has zones of a quarter.
 * @param from where the pointer was first: one that leaves the zone in which it began scrolls nothing
 */
export function speedAt(y: number, from: number, { top, bottom }: Edges): number {
  const size = Math.min(zone, (bottom - top) / 4);
  if (size <= 0) return 0;
  const near = (distance: number): number => Math.min(1, Math.max(0, (size - distance) / size));
  return maxSpeed * (y > from ? near(bottom - y) : -near(y - top));
}

/** What scrolls an element up and down: the nearest box around it that does, else the page. */
function scrollerOf(element: Element): Element {
  for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement)
    if (/auto|scroll/.test(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight) return box;
  return document.scrollingElement ?? document.documentElement;
}

/** The part of a scroller that is in the window. */
function edgesOf(scroller: Element): Edges {
  if (scroller === document.scrollingElement) return { top: 0, bottom: window.innerHeight };
  const { top, bottom } = scroller.getBoundingClientRect();
  return { top: Math.max(0, top), bottom: Math.min(window.innerHeight, bottom) };
}

export interface EdgeScroll {
  /** Takes the height of the pointer in the window. */
  readonly point: (y: number) => void;
  readonly end: () => void;
}

/** @param from the height of the pointer in the window, at first @param scrolled is called after each step, with the height of the pointer */
export function edgeScroll(element: Element, from: number, scrolled: (y: number) => void): EdgeScroll {
  const scroller = scrollerOf(element);
  let [y, frame, before]: [number, number | undefined, number] = [from, undefined, 0];
  const speedNow = (): number => speedAt(y, from, edgesOf(scroller));
  const step = (now: number): void => {
    frame = undefined;
    const speed = speedNow();
    // the element goes when its form is left meanwhile
    if (speed === 0 || !element.isConnected) return;
    const place = scroller.scrollTop;
    scroller.scrollTop += (speed * Math.min(now - before, maxFrame)) / 1000;
    if (scroller.scrollTop !== place) scrolled(y);
    next(now);
  };
  const next = (now: number): void => {
    before = now;
    frame = requestAnimationFrame(step);
  };
  return {
    point: (to) => {
      y = to;
      if (frame === undefined && speedNow() !== 0) next(performance.now());
    },
    end: () => {
      if (frame !== undefined) cancelAnimationFrame(frame);
    },
  };
}
