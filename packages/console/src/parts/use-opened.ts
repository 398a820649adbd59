/** Whether a menu is open, which `Escape` closes from the moment it opens: Mantine listens within the menu, where the focus arrives later. */
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';

const dropdowns = '.mantine-Menu-dropdown, .mantine-Popover-dropdown';

/** The properties of a `Menu` or a `Popover`. */
export interface Opened {
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

export function useOpened(): Opened {
  const [opened, onChange] = useState(false);
  const close = (event: KeyboardEvent): void => {
    const isWithin = event.target instanceof Element && event.target.closest(dropdowns) !== null;
    if (event.key !== 'Escape' || isWithin) return;
    // nothing else that it would close
    if (opened) event.stopPropagation();
    onChange(false);
  };
  useWindowEvent('keydown', close, { capture: true });
  return { opened, onChange };
}
