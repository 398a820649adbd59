/** Applies a projection to a document: included fields keep their order, computed fields follow them. */
import { isDoc } from '../values/kind.ts';
import { field, setField } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import { type Branch, computes, type Leaf } from './tree.ts';

/** What happens to fields that a projection does not name. */
export type Mode = 'inclusion' | 'exclusion';

/** The state of projecting one document. */
interface Work {
  readonly mode: Mode;
  /** The whole document, for computed fields. */
  readonly root: Doc;
}

/** Projects a document. */
export const project = (doc: Doc, tree: Branch, mode: Mode): Doc => projectDoc(doc, tree, { mode, root: doc });

function projectDoc(doc: Doc, branch: Branch, work: Work): Doc {
  const result: Record<string, Value> = {};
  for (const name of Object.keys(doc)) {
    const node = branch.children.get(name);
    const value = node === undefined ? unnamed(doc[name], work) : projectValue(doc[name], node, work);
    if (value !== undefined) setField(result, name, value);
  }
  addComputed(result, branch, work);
  return result;
}

const unnamed = (value: Value, { mode }: Work): Value => (mode === 'exclusion' ? value : undefined);

function projectValue(value: Value, node: Branch | Leaf, work: Work): Value {
  switch (node.kind) {
    case 'include':
      return value;
    case 'slice':
      return Array.isArray(value) ? node.slice(value) : value;
    case 'branch':
      return projectInner(value, node, work);
    case 'exclude':
    case 'compute':
      return undefined;
  }
}

/**
 * Arrays are entered at every depth. A value that is not a document becomes one of the computed fields, if there are
 * any; otherwise it is dropped by an inclusion and kept by an exclusion.
 */
function projectInner(value: Value, branch: Branch, work: Work): Value {
  if (isDoc(value)) return projectDoc(value, branch, work);
  if (Array.isArray(value)) {
    return value.map((member) => projectInner(member, branch, work)).filter((member) => member !== undefined);
  }
  return computes(branch) ? projectDoc({}, branch, work) : unnamed(value, work);
}

function addComputed(result: Record<string, Value>, branch: Branch, work: Work): void {
  for (const [name, node] of branch.children) {
    if (!computes(node)) continue;
    const value = node.kind === 'compute' ? node.value(work.root) : (field(result, name) ?? madeBranch(node, work));
    if (value !== undefined) setField(result, name, value);
  }
}

/** A document of computed fields where there is no value; an existing value has them already. */
const madeBranch = (node: Branch | Leaf, work: Work): Value =>
  node.kind === 'branch' ? projectDoc({}, node, work) : undefined;
