/** The title of the browser's tab: what is shown, its view, and the name of the project. The browser's history and bookmarks have it too. */
import { useEffect, useLayoutEffect, useSyncExternalStore } from 'react';
import { appName } from '../app-name.ts';

/** Characters that each part has at most: a tab shows fewer. */
const maxPart = 80;

/** Marks that turn the direction of the text behind them, and so would move the name of the project. */
const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const blanks = /[\p{Cc}\s]+/gu;

/** A part on one line, and no longer than a tab needs. */
function linePart(text: string): string {
  const line = text
    .slice(0, maxPart * 4)
    .replace(directionMarks, '')
    .replace(blanks, ' ')
    .trim();
  const letters = [...line];
  return letters.length > maxPart ? `${letters.slice(0, maxPart - 1).join('')}…` : line;
}

/** @param parts the most particular one first @example `['Dune', 'Books']` gives “Dune · Books” */
export const titleText = (parts: readonly string[]): string =>
  parts
    .map(linePart)
    .filter((part) => part !== '')
    .join(' · ');

const listeners = new Set<() => void>();
let shown = '';

function show(text: string): void {
  shown = text;
  document.title = titleText([text, appName()]);
  for (const listener of listeners) listener();
}

/**
 * Gives the tab a title while a view is shown.
 * @param parts without the name of the project, the most particular one first; none leaves the title as it is
 */
export function useTabTitle(...parts: readonly string[]): void {
  const text = titleText(parts);
  useEffect(() => {
    if (text !== '') show(text);
  }, [text]);
}

/** Removes the title of the view before when another address is shown: it may have none, such as while it loads. Views give theirs afterwards. */
export function useNoTitleBefore(place: string): void {
  useLayoutEffect(() => show(''), [place]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What the tab has as its title, without the name of the project; empty until the view is known. */
export const useShownTitle = (): string => useSyncExternalStore(subscribe, () => shown);
