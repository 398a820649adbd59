/** Trees that are written while they are built, before a root on disk or a collection contains them. */

/**
 * Records the pages that drafts replace. Only the build reads a draft, so they can be deleted at once; the whole draft is deleted at the
 * next start if the process ends before its root is on disk.
 */
export class Drafts {
  readonly #replaced = new Map<number, number[]>();

  /** Makes a tree a draft, if it is not one yet. */
  begin(tree: number): void {
    if (!this.#replaced.has(tree)) this.#replaced.set(tree, []);
  }

  /** Adds a page that the tree no longer contains. Returns false if the tree is not a draft. */
  replace(tree: number, page: number): boolean {
    const pages = this.#replaced.get(tree);
    if (pages !== undefined && page > 0) pages.push(page);
    return pages !== undefined;
  }

  /** Takes up to `count` replaced pages of a tree. */
  take(tree: number, count: number): readonly number[] {
    return this.#replaced.get(tree)?.splice(0, count) ?? [];
  }

  /** The tree is complete, or no longer needed. */
  end(tree: number): void {
    this.#replaced.delete(tree);
  }
}
