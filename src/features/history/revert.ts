/** Changes a document to what it was, as any other change: by the rights of the caller, the rules of the model, and with an entry of its own. */
import { badBody, type ModelContext, type Policy, type Row } from '../../core.ts';
import { unknownRevision } from '../../errors/errors.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { sameRow } from '../../models/mongoose.ts';
import { valueAt } from '../../models/plain-object.ts';
import { isSilent } from '../../operations/write-intents.ts';
import { mayChange } from '../../policy/field-writes.ts';
import { readableIn } from '../../policy/readable.ts';
import { recordableRow } from '../../policy/recordable.ts';
import { changesBetween, isStampOfWrites, type PathChange } from '../../write/mutation/row-changes.ts';
import { editAtRevision } from '../../write/patch/patch.ts';
import type { WriteAnswer } from '../../write/perform.ts';
import type { Difference } from '../../write/plan/difference.ts';
import { entryOfRevision, pauseOf, subjectOf } from './reading.ts';
import { isReadable } from './visible.ts';

/** @returns with the paths that keep their values @throws 400, 403, 404 for a revision that the caller may not see, and as any other change */
export async function revert(context: ModelContext): Promise<WriteAnswer & Pick<Reversion, 'kept'>> {
  const { model, params, grant } = context;
  const subject = await subjectOf(context, params['id']);
  const rev = revisionOf(context.body);
  const then = await entryOfRevision(context, subject, rev);
  const state = then?.after ?? 'unknown';
  if (!isReadable(subject, state)) throw unknownRevision(model.name, subject.id, rev);
  const { assignments } = context;
  const intent = { id: params['id'], grant, passwords: 'plain', silent: isSilent(context), assignments } as const;
  // a deleted document is restored
  const named = state['_deleted'] === true ? [] : ['_deleted'];
  let kept: Reversion['kept'] = [];
  const reverting = { policy: subject.policy, pause: pauseOf(context) };
  const changes = async (before: Row): Promise<Difference> => {
    const found = await reversionTo(reverting, before, state);
    ({ kept } = found);
    return found.changes;
  };
  const { ignored = [], ...written } = await editAtRevision(context, intent, { changes, named });
  return { ...written, kept: [...kept, ...ignored] };
}

function revisionOf(body: unknown): number {
  const { rev } = body as { readonly rev: unknown };
  if (Number.isSafeInteger(rev) && (rev as number) > 0) return rev as number;
  throw badBody(`rev must be a whole number from 1, got ${JSON.stringify(rev ?? null).slice(0, 40)}`);
}

/** Changes of one field above which the field is set as a whole: an update examines each path that it names. */
const maxPathsOfField = 100;

interface Reverting {
  readonly policy: Policy;
  readonly pause: () => Promise<void>;
}

interface Reversion {
  readonly changes: Difference;
  /** Paths that the caller may see and not write, with those that hold what they may not see. */
  readonly kept: readonly string[];
}

/** What leads from a document to what it was. What the caller may not see or write keeps its value. */
async function reversionTo({ policy, pause }: Reverting, stored: Row, state: Readonly<Row>): Promise<Reversion> {
  const before = recordableRow(policy.model, stored);
  const [now, then] = [readableIn(policy, before), readableIn(policy, state)];
  const seen = async (value: unknown): Promise<Row> => {
    const part = now.part(value, '');
    await pause();
    return then.part(part, '') as Row;
  };
  const [from, to] = [await seen(before), await seen(state)];
  await pause();
  const isWhole = ({ path }: PathChange): boolean => {
    const value = valueAt(before, path);
    return value === undefined || sameRow({ value }, { value: now.part(value, path) });
  };
  const mayBeSet = (change: PathChange): boolean => isWhole(change) && isWritable(policy, change, before);
  const changes = withWholeFields(changesBetween(from, to), to, mayBeSet);
  const set: Record<string, unknown> = {};
  const kept: string[] = [];
  for (const change of changes.filter(({ path }) => !isStampOfWrites(policy.model, firstName(path)))) {
    await pause();
    if (mayBeSet(change)) set[change.path] = change.to;
    else kept.push(change.path);
  }
  return { changes: set, kept };
}

/** The changes, with one for a field of which there are many, if that may be set. */
function withWholeFields(
  changes: readonly PathChange[],
  to: Row,
  mayBeSet: (change: PathChange) => boolean,
): readonly PathChange[] {
  const byField = new Map<string, PathChange[]>();
  for (const change of changes) {
    const name = firstName(change.path);
    const group = byField.get(name);
    if (group === undefined) byField.set(name, [change]);
    else group.push(change);
  }
  return [...byField].flatMap(([path, group]) => {
    const whole = { path, ...(Object.hasOwn(to, path) ? { to: to[path] } : {}) };
    return group.length > maxPathsOfField && mayBeSet(whole) ? [whole] : group;
  });
}

const isWritable = (policy: Policy, { path, to }: PathChange, before: Row): boolean =>
  path !== '' && policy.writable(path, 'u') && mayChange(policy, { [path]: to ?? null }, before);
