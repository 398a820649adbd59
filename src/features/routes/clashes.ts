/** Paths that are taken: by endpoints of the server, and by other routes. */
import type { OperationGroup } from '../../operations/operation.ts';
import type { CheckedRoute } from './definition.ts';
import { RouteFault } from './faults.ts';

interface Taken {
  readonly name: string;
  readonly where: string;
  readonly path: string;
}

/** A path as it is matched: in any letter case, whatever the names of its parameters. */
const shapeOf = (path: string): string => path.toLowerCase().replace(/:[^/]+/g, ':');
const firstOf = (path: string): string => path.toLowerCase().split('/')[1] ?? '';

/** The paths of a server, to which those of its routes are added one after the other. */
export class TakenPaths {
  readonly #ours: ReadonlySet<string>;
  readonly #byMethod = new Map<string, Taken>();
  readonly #byShape = new Map<string, Taken>();

  /** @param groups all operations of the server, switched on or not: a setting must not make a path clash */
  constructor(groups: readonly OperationGroup[]) {
    this.#ours = new Set(groups.flatMap(({ operations }) => operations.map(({ http }) => firstOf(http.path))));
  }

  /** @throws RouteFault */
  add({ method, path, name }: CheckedRoute, where: string): void {
    const first = firstOf(path);
    if (this.#ours.has(first))
      throw new RouteFault(
        `${name}: paths that begin with /${first} are those of the server: begin it with another name`,
      );
    const shape = shapeOf(path);
    const key = `${method} ${shape}`;
    const same = this.#byMethod.get(key);
    if (same !== undefined) throw new RouteFault(`${name} is taken by ${same.name} of ${same.where}`);
    const other = this.#byShape.get(shape);
    if (other !== undefined && other.path.toLowerCase() !== path.toLowerCase())
      throw new RouteFault(
        `${name}: ${other.name} of ${other.where} has other names for the same parameters: use those`,
      );
    const taken = { name, where, path };
    this.#byMethod.set(key, taken);
    this.#byShape.set(shape, other ?? taken);
  }
}
