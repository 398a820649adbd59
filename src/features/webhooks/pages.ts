/** Pages of webhooks and of deliveries. */
import { type Answer, type Context, json, readPage, shapeValue } from '../../core.ts';

/**
 * A page of what has ids.
 * @param list names it, with the parameters that decide what is in it @param read reads so many that come after an id
 */
export async function pageOf<T extends { readonly id: string }>(
  context: Context,
  list: readonly unknown[],
  read: (limit: number, after: string | undefined) => Promise<readonly T[]>,
): Promise<Answer> {
  const { rows, page } = await readPage(context, ['webhooks', ...list], read, ({ id }) => id);
  return json({ data: shapeValue(rows), ...page });
}
