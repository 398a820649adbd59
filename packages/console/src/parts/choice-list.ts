/** The lists of choices that open below inputs. */
import { useDisclosure } from '@mantine/hooks';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { showFailure } from './run.ts';

/** In the landmark or dialog of the input, at whose edge the list is not cut off. */
const dropdownProps = { withinPortal: false, floatingStrategy: 'fixed' } as const;

/** The list of an input. Tab closes it, so that the next input gets the focus, and not a list that can be scrolled. */
export function useOpenList() {
  const [isOpen, { open, close }] = useDisclosure();
  return {
    comboboxProps: dropdownProps,
    dropdownOpened: isOpen,
    onDropdownOpen: open,
    onDropdownClose: close,
    onKeyDownCapture: ({ key }: KeyboardEvent) => {
      if (key === 'Tab') close();
    },
  };
}

/**
 * The list of an input for several values. It closes when a value is added: it covers what is below, such as the button of a dialog. A click
 * on the input, what is typed there, and an arrow key open it again.
 */
export function useChoiceList() {
  const list = useOpenList();
  const { onDropdownOpen: open, onDropdownClose: close } = list;
  return { ...list, onOptionSubmit: close, onInput: open, onClick: open };
}

/** The list of an input for several values, of which those that have the typed text are offered. */
export function useSearchedList() {
  const [text, setText] = useState('');
  return {
    ...useChoiceList(),
    searchable: true,
    nothingFoundMessage: 'Nothing found',
    onSearchChange: setText,
    ...useFirstChoice(text),
  };
}

/** The choice that Enter takes. @param input that of the list */
const highlighted = (input: HTMLElement | undefined): HTMLElement | null | undefined =>
  document.getElementById(input?.getAttribute('aria-controls') ?? '')?.querySelector('[data-combobox-selected]');

/**
 * Enter takes the first choice for what is typed, which is highlighted; before the choices are there, it waits for them. It never sends the
 * form around the input, since the text would be lost.
 * @param text what is typed and is no choice yet
 * @param isFound whether the choices are those for the text
 * @param takeLater takes the choice for the text where the input is left meanwhile
 */
export function useFirstChoice(text: string, isFound = true, takeLater?: (text: string) => Promise<void>) {
  const input = useRef<HTMLElement>(undefined);
  const isOffered = text !== '' && isFound;
  const [isAwaited, wait] = useWait(text, isOffered, () => highlighted(input.current)?.click());
  return {
    // the input highlights the first choice when this becomes true
    selectFirstOptionOnChange: isOffered,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key !== 'Enter' || text === '' || event.nativeEvent.isComposing) return;
      event.preventDefault();
      input.current = event.currentTarget;
      if (!isOffered && !highlighted(input.current)) wait();
    },
    onBlur: () => {
      if (isAwaited()) takeLater?.(text).catch(showFailure);
    },
  };
}

/**
 * What Enter does with results that have not come yet.
 * @param text the text whose results they are; another one is not waited for
 * @param isFound whether they are there
 * @returns whether they are waited for, and a function that has `act` called when they are there
 */
export function useWait(text: string, isFound: boolean, act: () => void): readonly [() => boolean, () => void] {
  const isAwaited = useRef(false);
  useEffect(() => () => void (isAwaited.current = false), [text]);
  useEffect(() => {
    if (!isFound || !isAwaited.current) return;
    isAwaited.current = false;
    act();
  }, [isFound]);
  return [() => isAwaited.current, () => void (isAwaited.current = true)];
}
