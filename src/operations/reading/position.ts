/** The position of a list in the changes of its model. */
import type { ModelContext } from '../../context.ts';
import { changeFeed } from '../../ports/core.ts';
import { flagOf } from '../../query/parameter-tree.ts';

/**
 * The position before a list is read, where the request wants it: what changes while the list is read comes after it.
 * @returns undefined where it does not @throws 400
 */
export async function positionFor({ query, model, services }: ModelContext): Promise<string | undefined> {
  if (!flagOf(query, 'position')) return undefined;
  const feed = services.of(changeFeed);
  await feed.ensureDelivered(model);
  return feed.position();
}
