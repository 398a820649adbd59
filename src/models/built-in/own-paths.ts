/** The paths that the server stores in documents of served models for its own use. No caller reads, names or writes them. */
import type { ModelEntry } from '../entry.ts';
import { incarnationPath } from './incarnation.ts';

/** By the name of the model. */
export const ownPaths: Readonly<Record<string, readonly string[]>> = { user: [incarnationPath] };

export const ownPathsOf = ({ name }: Pick<ModelEntry, 'name'>): readonly string[] =>
  Object.hasOwn(ownPaths, name) ? (ownPaths[name] ?? []) : [];
