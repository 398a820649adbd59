/** Pages of webhooks and of deliveries. */
import type { Context } from '../../context.ts';
import { type Answer, json } from '../../operations/answer.ts';
import { pageCursors, pageLimit } from '../../operations/pages.ts';
import { shapeValue } from '../../policy/shape.ts';

/**
 * A page of what has ids.
 * @param list names it, with the parameters that decide what is in it @param read reads so many that come after an id
 */
export async function pageOf<T extends { readonly id: string }>(
  context: Context,
  list: readonly unknown[],
  read: (limit: number, after: string | undefined) => Promise<readonly T[]>,
): Promise<Answer> {
  const limit = pageLimit(context);
  const cursor = pageCursors<string>(context, ['webhooks', ...list]);
  const found = await read(limit + 1, cursor.given());
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return json({ data: shapeValue(page), limit, ...(last === undefined ? {} : { next_cursor: cursor.of(last.id) }) });
}
