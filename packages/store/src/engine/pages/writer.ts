/** Writes the nodes of frozen trees that are only in memory to pages, in slices. */
import type { PageFile } from '../../storage/storage.ts';
import { ByteWriter } from './bytes.ts';
import { encodeNode } from './codec.ts';
import type { Ref } from './node.ts';
import type { NodeStore } from './shape.ts';

/** Bytes of pages that are written in one transaction. */
const sliceBytes = 512 * 1024;

/** The nodes below a reference that are only in memory, children first. */
function* dirtyBelow<K, V>(ref: Ref<K, V>): Generator<Ref<K, V>> {
  if (ref.page > 0) return;
  for (const child of ref.node?.children ?? []) yield* dirtyBelow(child);
  yield ref;
}

/** Where pages are written. */
interface PageSpace {
  readonly file: PageFile;
  /** The number of a new page. */
  takePage(): number;
  /** The numbers of the trees that are being written. */
  readonly writing: Set<number>;
}

/** A slice of pages that is being gathered. */
interface Slice<K, V> {
  readonly pages: { readonly id: number; readonly tree: number; readonly bytes: Uint8Array }[];
  /** The page of each reference in it. */
  readonly places: Map<Ref<K, V>, number>;
  bytes: number;
}

/** The page of a child, which was written before its parent. */
function pageOf<K, V>(child: Ref<K, V>, places: ReadonlyMap<Ref<K, V>, number>): number {
  const page = child.page > 0 ? child.page : places.get(child);
  if (page === undefined) throw new Error('a node has a child without a page');
  return page;
}

/**
 * Writes the nodes below a root. Afterwards all of them can be evicted from memory. A tree has one writer at a time: two would write the
 * same nodes, and one of them those that the other has evicted.
 * @param pause called between slices
 * @throws DiskFault if the disk refuses a slice; earlier slices stay written. Error if the tree is being written
 */
export async function writeTree<K, V>(
  space: PageSpace,
  store: NodeStore<K, V>,
  root: Ref<K, V>,
  pause: () => Promise<void>,
): Promise<void> {
  if (space.writing.has(store.id)) throw new Error(`the tree ${store.id} has two writers`);
  space.writing.add(store.id);
  try {
    await writeNodes(space, store, root, pause);
  } finally {
    space.writing.delete(store.id);
  }
}

async function writeNodes<K, V>(
  space: PageSpace,
  store: NodeStore<K, V>,
  root: Ref<K, V>,
  pause: () => Promise<void>,
): Promise<void> {
  const { shape } = store;
  const writer = new ByteWriter();
  let slice: Slice<K, V> = { pages: [], places: new Map(), bytes: 0 };
  const write = (): void => {
    space.file.write(slice.pages);
    for (const [ref, page] of slice.places) {
      ref.page = page;
      store.written(ref);
    }
    writer.clear();
    slice = { pages: [], places: new Map(), bytes: 0 };
  };
  for (const ref of dirtyBelow(root)) {
    if (ref.node === undefined) throw new Error('a node that is not on disk has left memory');
    encodeNode(writer, ref.node, shape, (child) => pageOf(child, slice.places));
    const bytes = writer.takePage();
    const id = space.takePage();
    slice.pages.push({ id, tree: store.id, bytes });
    slice.places.set(ref, id);
    slice.bytes += bytes.length;
    if (slice.bytes < sliceBytes) continue;
    write();
    await pause();
  }
  if (slice.pages.length > 0) write();
}
