/** All cases by group, for the page of a browser: `run(group, name, given)`. */
import { documents } from './documents.ts';
import { histories } from './histories.ts';
import { lives } from './lives.ts';
import { type Redirecting, redirects } from './redirects.ts';
import { retries } from './retries.ts';
import { sessions } from './sessions.ts';
import { syncs } from './syncs.ts';
import { watches, type Watching } from './watches.ts';

type Whole = Watching & Redirecting;

export const groups: Readonly<Record<string, Readonly<Record<string, (given: Whole) => Promise<void>>>>> = {
  documents,
  sessions,
  retries,
  redirects,
  watches,
  lives,
  syncs,
  histories,
};

Object.assign(globalThis, { run: (group: string, name: string, given: Whole) => groups[group]?.[name]?.(given) });
