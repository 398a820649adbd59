/** The sections of a form: groups of the model file, and nested documents in them. Pure. */
import type { Model } from '../api/models.ts';

type Grouped = Pick<Model, 'fields' | 'nested'>;

/** The paths that are above a path, the nearest first. */
const above = (path: string): string[] =>
  path
    .split('.')
    .slice(0, -1)
    .map((_, at, parts) => parts.slice(0, parts.length - at).join('.'));

/** The group of a path: its own, otherwise that of a nested document which it is in; empty for none. */
const groupOf = ({ fields, nested }: Grouped, path: string): string =>
  fields[path]?.group ??
  above(path)
    .map((one) => nested?.[one]?.group)
    .find((group) => group !== undefined) ??
  '';

/** Paths by their group, in the order of the first path of each. */
export const sectionsOf = (model: Grouped, paths: readonly string[]): (readonly [group: string, paths: string[]])[] =>
  gathered(paths, (path) => groupOf(model, path));

/** Paths by the name below another path, with that name in full. */
export const partsBelow = (paths: readonly string[], outer: string): (readonly [path: string, paths: string[]])[] =>
  gathered(paths, (path) => {
    const prefix = outer === '' ? '' : `${outer}.`;
    return prefix + (path.slice(prefix.length).split('.', 1)[0] ?? '');
  });

function gathered(paths: readonly string[], keyOf: (path: string) => string): [string, string[]][] {
  const groups = new Map<string, string[]>();
  for (const path of paths) groups.set(keyOf(path), [...(groups.get(keyOf(path)) ?? []), path]);
  return [...groups];
}
