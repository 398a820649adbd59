/** The scopes of a key: the letters that it is restricted to, by model, and the routes that it may use. */
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';

/**
 * Letters by the name of a model; `*` gives those of all models of files that are not named. The name of a route, such as `GET /reports/:year`, has
 * none: it is no name of a model.
 */
export type Scopes = ReadonlyMap<string, ReadonlySet<Letter>>;

/** The name that stands for all models that are not named. */
export const anyModel = '*';

/** Whether scopes give a letter on a model. Without scopes nothing is restricted. */
export const isInScope = (scopes: Scopes | undefined, letter: Letter, model: Scoped): boolean =>
  scopes === undefined || scopeOf(scopes, model)?.has(letter) === true;

/** The letters that scopes give on a model, as a text; undefined without scopes. */
export const lettersInScope = (scopes: Scopes | undefined, model: Scoped): string | undefined =>
  scopes === undefined ? undefined : [...(scopeOf(scopes, model) ?? [])].join('');

type Scoped = Pick<ModelEntry, 'name' | 'isOwn'>;

const scopeOf = (scopes: Scopes, model: Scoped): ReadonlySet<Letter> | undefined =>
  scopes.get(model.name) ?? (model.isOwn ? undefined : scopes.get(anyModel));

/** Whether the name of a scope is that of a route, which is open by it as a whole. */
export const isRouteScope = (name: string): boolean => name.includes(' ');
