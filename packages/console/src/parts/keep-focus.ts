/** Keeps the keyboard in its place: where what has the focus goes, what is next to it receives the focus. */
import { focusBack, isFocusLost } from './use-focus-back.ts';

/** What has the focus and all that contains it, the innermost first, with the place of each among its siblings. */
type Trail = readonly { readonly element: Element; readonly at: number }[];

/** What may receive the focus. */
const controls = 'a[href], button:enabled, [tabindex="0"]';
/** In the same form also inputs; outside of it keys are shortcuts, and a phone would show its keyboard. */
const inputs = 'input:enabled, select:enabled, textarea:enabled';
const main = '#main';

/** Milliseconds that others have to move the focus: a dialog that closes gives it back after 10. */
const patience = 50;

function trailOf(from: Element): Trail {
  const trail: { element: Element; at: number }[] = [];
  for (
    let element: Element | null = from;
    element !== null && element !== document.body;
    element = element.parentElement
  )
    trail.push({ element, at: [...(element.parentElement?.children ?? [])].indexOf(element) });
  return trail;
}

const isUsable = (element: Element): boolean => !element.matches(':disabled') && element.checkVisibility();

/**
 * What is nearest to a place in an element that is still there, the later one of two.
 * @param form the one that what has gone was in: the controls of another one are about something else, such as emptying a field
 */
function nearest(element: Element, place: number, form: Element | undefined): Element | undefined {
  const landings = form === undefined ? controls : `${controls}, ${inputs}`;
  const landingIn = (child: Element): Element | undefined =>
    [child, ...child.querySelectorAll(landings)].find(
      (one) => one.matches(landings) && [null, form].includes(one.closest('form')) && isUsable(one),
    );
  const distance = (at: number): number => Math.abs(at - place) - (at > place ? 0.5 : 0);
  return [...element.children]
    .map((child, at) => ({ child, at }))
    .toSorted((one, other) => distance(one.at) - distance(other.at))
    .map(({ child }) => landingIn(child))
    .find((landing) => landing !== undefined);
}

/** Where the focus goes: to what had it or, where that has gone, near to it; undefined where nothing is left around it, such as a dialog. */
function landingOf(trail: Trail): Element | undefined {
  const form = trail.find(({ element }) => element.isConnected && element.matches('form'))?.element;
  const left = trail.findIndex(({ element }) => element.isConnected);
  const first = trail[0]?.element;
  if (left === 0 && first !== undefined && isUsable(first)) return first;
  for (const [level, { element }] of trail.entries()) {
    if (level < left || left < 1) continue;
    if (element.matches(main) || element.querySelector(main) !== null) return document.querySelector(main) ?? undefined;
    // the containers of dialogs and notices
    if (element.parentElement === document.body) return undefined;
    if (element.matches(controls)) return element;
    // a table as a whole, since the buttons of another row are about something else
    if (element.closest('table, ul.cards') !== null) continue;
    const landing = nearest(element, trail[level - 1]?.at ?? 0, form);
    if (landing !== undefined) return landing;
  }
  return undefined;
}

/** Watches the page, as long as it is there. */
export function keepFocus(): void {
  let trail: Trail = [];
  /** The last one in the view, for when a dialog over it has gone. */
  let inView: Trail = [];
  let wasDisabled = false;
  let pending: ReturnType<typeof setTimeout> | undefined;
  const settle = (): void => {
    pending = undefined;
    const last = trail[0]?.element;
    if (!isFocusLost() || last === undefined) return;
    if (!last.isConnected) focusBack(landingOf(trail) ?? landingOf(inView) ?? null, main);
    // a button that was disabled until its work was done; meanwhile Tab continues from its place
    else if (wasDisabled && isUsable(last)) focusBack(last);
  };
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    trail = trailOf(target);
    wasDisabled = false;
    if (target.closest(main) !== null) inView = trail;
  });
  // a click beside everything takes the focus on purpose
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && trail[0]?.element.contains(target) !== true) trail = [];
  });
  new MutationObserver(() => {
    const last = trail[0]?.element;
    if (last === undefined) return;
    wasDisabled ||= last.matches(':disabled');
    if (isFocusLost()) pending ??= setTimeout(settle, patience);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
}
