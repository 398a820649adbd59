/** Reads that admins can have explained (`explain=true`). */
import type { ModelContext } from '../../context.ts';
import { adminOnly, forbidden } from '../../errors/errors.ts';
import { parametersNamed } from '../../query/parameter-table.ts';
import { flagOf } from '../../query/parameter-tree.ts';
import { type Answer, json } from '../answer.ts';
import type { ModelOperation } from '../operation.ts';

/** The row of a read that takes `explain=true`. @param explain what it then answers, in place of the function of the row */
export const withExplain = (row: ModelOperation, explain: NonNullable<ModelOperation['explain']>): ModelOperation => ({
  ...row,
  input: { ...row.input, query: [...(row.input?.query ?? []), ...parametersNamed('explain')] },
  explain,
});

/** The answer that explains a read. */
export async function explanation(
  context: ModelContext,
  explain: NonNullable<ModelOperation['explain']>,
): Promise<Answer> {
  return { ...json(await explain(context)), isPlan: true };
}

/** Whether the caller wants the plan. @throws 400, 401, 403 */
export function isExplanation({ query, principal }: ModelContext): boolean {
  if (!flagOf(query, 'explain')) return false;
  if (!principal.admin) throw adminOnly(principal, 'explain');
  if (principal.scopes !== undefined) throw forbidden('a key with scopes may not do this: explain is for admins');
  return true;
}
