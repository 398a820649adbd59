/** The lists of choices that open below inputs. */
import { useDisclosure } from '@mantine/hooks';

/** In the landmark or dialog of the input, at whose edge the list is not cut off. */
export const dropdownProps = { withinPortal: false, floatingStrategy: 'fixed' } as const;

/**
 * The list of an input for several values. It closes when a value is added: it covers what is below, such as the button of a dialog. A click
 * on the input, what is typed there, and an arrow key open it again.
 */
export function useChoiceList() {
  const [isOpen, { open, close }] = useDisclosure();
  return {
    comboboxProps: dropdownProps,
    dropdownOpened: isOpen,
    onDropdownOpen: open,
    onDropdownClose: close,
    onOptionSubmit: close,
    onInput: open,
    onClick: open,
  };
}
