/** All cases by group, for the page of a browser: `run(group, name, given)`. */
import { documents } from './documents.ts';
import { retries } from './retries.ts';
import { sessions } from './sessions.ts';
import { watches, type Watching } from './watches.ts';

export const groups: Readonly<Record<string, Readonly<Record<string, (given: Watching) => Promise<void>>>>> = {
  documents,
  sessions,
  retries,
  watches,
};

Object.assign(globalThis, { run: (group: string, name: string, given: Watching) => groups[group]?.[name]?.(given) });
