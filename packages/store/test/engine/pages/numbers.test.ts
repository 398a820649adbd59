/** Numbers of pages and trees are not used again while something with the same number may still be deleted. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { defaultLimits } from '../../../src/engine/limits.ts';
import { PageStore, throwUnreadable } from '../../../src/engine/pages/page-store.ts';
import type { PagedTree } from '../../../src/engine/pages/paged-tree.ts';
import { StoredDocument } from '../../../src/engine/stored-document.ts';
import { documentShape } from '../../../src/engine/stored-shapes.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import type { LoadTarget, PageFile, Storage } from '../../../src/storage/storage.ts';

let folder: string;
let storage: Storage;
let pages: PageStore;
/** Trees that a collection has. */
const living = new Set([0, 1]);

function start(): void {
  storage = openSqlite(folder);
  pages = new PageStore(storage.pages as PageFile, defaultLimits, throwUnreadable);
  const target: LoadTarget = {
    checkpoint: 0,
    root: (tree, bytes) => tree > 0 && pages.restoreRoot(tree, bytes),
    garbage: (id, bytes) => pages.restoreGarbage(id, bytes),
    collection: () => undefined,
    change: () => undefined,
    retry: () => undefined,
  };
  storage.load(target);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'numbers-'));
  start();
});
afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true });
});

const put = (tree: PagedTree<number, StoredDocument>, sequence: number): boolean =>
  tree.set(sequence, new StoredDocument({ sequence, version: 1, size: 5 }, { doc: {} }));

test('a deleted page keeps its number while a record of obsolete pages contains it', async () => {
  const tree = pages.tree(documentShape(pages.forms));
  put(tree, 1);
  await pages.persist({ tree, extra: {} }, () => Promise.resolve());
  const { page } = tree.freeze();
  // the next version has a later page, which becomes obsolete too
  put(tree, 2);
  await pages.writeAhead({ tree, extra: {} });
  put(tree, 3);
  pages.garbage.seal();
  const record = pages.garbage.record();
  pages.file.flip({ roots: [], garbage: record });
  // the pages are deleted, and the process ends before their record is
  pages.file.delete([page, page + 1]);
  expect(pages.file.lastPage).toBe(0);
  storage.close();
  start();
  expect(pages.takePage()).toBeGreaterThan(page + 1);
});

test('a dropped tree whose pages are not deleted yet keeps its number', async () => {
  const [kept, dropped] = [pages.tree(documentShape(pages.forms)), pages.tree(documentShape(pages.forms))];
  for (const tree of [kept, dropped]) {
    put(tree, 1);
    await pages.writeAhead({ tree, extra: {} });
  }
  storage.close();
  start();
  pages.tree(documentShape(pages.forms), 1);
  pages.loaded(living);
  expect(pages.tree(documentShape(pages.forms)).store?.id).toBe(3);
  while (pages.deleteSome());
  expect(pages.file.trees()).toEqual([]);
});
