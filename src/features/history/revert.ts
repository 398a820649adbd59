/** Changes a document to what it was, as any other change: by the rights of the caller, the rules of the model, and with an entry of its own. */
import type { ModelContext } from '../../context.ts';
import { badBody, unknownRevision } from '../../errors.ts';
import { type Row, sameRow } from '../../models/mongoose.ts';
import { valueAt } from '../../models/plain-object.ts';
import { isSilent } from '../../operations/silence.ts';
import { mayChange } from '../../policy/field-writes.ts';
import type { Policy } from '../../policy/policy.ts';
import { readableIn } from '../../policy/readable.ts';
import { changesBetween, type PathChange } from '../../write/mutation/row-changes.ts';
import { editAtRevision } from '../../write/patch/patch.ts';
import type { Difference } from '../../write/plan/difference.ts';
import type { Written } from '../../write/written.ts';
import { rebuiltAt, type Subject, subjectOf } from './reading.ts';
import { isReadable } from './visible.ts';

/** @throws 400, 403, 404 for a revision that the caller may not see, and as any other change */
export async function revert(context: ModelContext): Promise<Written> {
  const { model, params, grant } = context;
  const subject = await subjectOf(context, params['id']);
  const rev = revisionOf(context.body);
  const then = await rebuiltAt(context, subject, rev);
  const state = then?.after ?? 'unknown';
  if (!isReadable(subject, state)) throw unknownRevision(model.name, subject.id, rev);
  const intent = { id: params['id'], grant, passwords: 'plain', silent: isSilent(context) } as const;
  // a deleted document is restored
  const named = state['_deleted'] === true ? [] : ['_deleted'];
  return editAtRevision(context, intent, { changes: (before) => changesTo(subject, before, state), named });
}

function revisionOf(body: unknown): number {
  const { rev } = body as { readonly rev: unknown };
  if (Number.isSafeInteger(rev) && (rev as number) > 0) return rev as number;
  throw badBody(`rev must be a whole number from 1, got ${JSON.stringify(rev ?? null).slice(0, 40)}`);
}

/** What leads from a document to what it was. What the caller may not see or write keeps its value. */
function changesTo({ policy }: Subject, before: Row, state: Readonly<Row>): Difference {
  const [now, then] = [readableIn(policy, before), readableIn(policy, state)];
  const seen = (value: unknown): Row => then.part(now.part(value, ''), '') as Row;
  const found = changesBetween(seen(before), seen(state)).filter(
    (change) => isWhole(change, before, (value, path) => now.part(value, path)) && isWritable(policy, change, before),
  );
  return Object.fromEntries(found.map(({ path, to }) => [path, to]));
}

/** Whether nothing that the caller may not see is at a path, which would be lost with the value. */
function isWhole({ path }: PathChange, before: Row, part: (value: unknown, path: string) => unknown): boolean {
  const value = valueAt(before, path);
  return value === undefined || sameRow({ value }, { value: part(value, path) });
}

const isWritable = (policy: Policy, { path, to }: PathChange, before: Row): boolean =>
  path !== '' && policy.writable(path, 'u') && mayChange(policy, { [path]: to ?? null }, before);
