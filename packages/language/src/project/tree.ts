/** A projection as a tree of field names. */
import { StoreError } from '../errors.ts';
import type { Doc, Value } from '../values/types.ts';

/** The projection of one field. */
export type Leaf =
  | { readonly kind: 'include' }
  | { readonly kind: 'exclude' }
  | { readonly kind: 'slice'; readonly slice: (array: readonly Value[]) => Value[] }
  /** A computed value; undefined omits the field. */
  | { readonly kind: 'compute'; readonly value: (doc: Doc) => Value };

/** The fields below one field. */
export interface Branch {
  readonly kind: 'branch';
  readonly children: Map<string, Branch | Leaf>;
}

/** A branch without children. */
export const newBranch = (): Branch => ({ kind: 'branch', children: new Map() });

/** Adds a leaf at a path. @throws StoreError 31249 or 31250 if another path is the same or a prefix */
export function addLeaf(root: Branch, path: string, leaf: Leaf): void {
  const parts = path.split('.');
  const last = parts.pop() ?? '';
  let branch = root;
  for (const [at, part] of parts.entries()) {
    const child = branch.children.get(part) ?? newBranch();
    if (child.kind !== 'branch') {
      throw new StoreError(
        31249,
        `Path collision at ${path} remaining portion ${[...parts.slice(at + 1), last].join('.')}`,
      );
    }
    branch.children.set(part, child);
    branch = child;
  }
  if (branch.children.has(last)) throw new StoreError(31250, `Path collision at ${path}`);
  branch.children.set(last, leaf);
}

/** Whether a branch has a computed field, so that it is created where it is missing. */
export function computes(node: Branch | Leaf): boolean {
  return node.kind === 'compute' || (node.kind === 'branch' && [...node.children.values()].some(computes));
}
