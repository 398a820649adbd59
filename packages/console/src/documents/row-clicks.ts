/** Which clicks on a row or a card open its document. */
import type { MouseEvent } from 'react';

/** Where the button of the mouse went down last, in pixels of the window. */
let pressed = { x: 0, y: 0 };

export const press = ({ clientX: x, clientY: y }: MouseEvent): void => {
  pressed = { x, y };
};

/** Whether a click ends the selection of a text. */
const isSelecting = ({ clientX, clientY }: MouseEvent): boolean =>
  Math.hypot(clientX - pressed.x, clientY - pressed.y) > 3 && window.getSelection()?.isCollapsed === false;

/** Whether a click is meant for the row, and not for something in it. */
export const isForRow = (event: MouseEvent): boolean =>
  !(event.ctrlKey || event.metaKey || event.shiftKey) &&
  event.target instanceof Element &&
  // not a click in a dialog that a cell opened
  event.currentTarget.contains(event.target) &&
  event.target.closest('a, button, input, label, .choosing') === null &&
  !isSelecting(event);
