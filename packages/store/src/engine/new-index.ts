/** Makes indexes of both kinds, and fills them. */
import { buildIndex, type IndexSource } from './index-build.ts';
import type { IndexSpec } from './index-spec.ts';
import { IndexTree } from './index-tree.ts';
import { PageStore } from './pages/page-store.ts';
import type { TreeSpace } from './pages/tree-space.ts';
import { buildText } from './text-build.ts';
import { TextTree } from './text-tree.ts';

/** An index other than the `_id` index. */
export type Index = IndexTree | TextTree;

/** An empty index, or the stored one whose tree has a number. */
export const makeIndex = (spec: IndexSpec, space: TreeSpace, id?: number): Index =>
  (spec.kind === 'text' ? TextTree : IndexTree).make(spec, space, id);

/** Builds an index over documents. */
export async function builtIndex(spec: IndexSpec, space: TreeSpace, from: Omit<IndexSource, 'pages'>): Promise<Index> {
  const index = makeIndex(spec, space);
  const source = { ...from, pages: space instanceof PageStore ? space : undefined };
  await (index instanceof TextTree ? buildText(index, source) : buildIndex(index, source));
  return index;
}
