/**
 * What a caller sees of a history: of each entry, what they may see of the document as it is now and as it was then. Changes are the
 * differences of what is seen, so that nothing hidden can be in them. Pure.
 */
import type { Row } from '../../models/mongoose.ts';
import { computedRow } from '../../models/mongoose/computed-row.ts';
import type { Policy } from '../../policy/policy.ts';
import type { Presentation } from '../../policy/presentation.ts';
import { shape, shapeValue } from '../../policy/shape.ts';
import type { Shaped, ShapedDocument } from '../../policy/shaped.ts';
import { withFields } from '../../policy/with-fields.ts';
import { defaultFields, type Fields } from '../../query/fields.ts';
import { changesBetween, type PathChange } from '../../write/mutation/row-changes.ts';
import type { Rebuilt, State } from './states.ts';

/** Who looks at the history of which document. */
export interface View {
  readonly policy: Policy;
  /** The document as it is now; undefined for one that has been removed. */
  readonly current: Readonly<Row> | undefined;
}

/** Whether the caller might read the document at that time. */
export const isReadable = ({ policy }: View, state: State): state is Readonly<Row> =>
  typeof state === 'object' && policy.admits('r', state);

/** What is hidden now or then: more is shown of a document that was the caller's own then, and is now. */
function hiddenIn({ policy, current }: View, row: Readonly<Row>): Presentation['hidden'] {
  const isOwn = policy.owns(row) && (current === undefined || policy.owns(current));
  return isOwn ? policy.viewIn(row).hidden : policy.view.hidden;
}

/** A document as it was, in the form of answers. */
export function documentThen(
  view: View,
  row: Readonly<Row>,
  fields: Fields | undefined = defaultFields(view.policy.model),
): ShapedDocument {
  const { model } = view.policy;
  const whole = withFields(computedRow(model, { ...row }), fields, []);
  return shape(whole, { hidden: hiddenIn(view, row), fields, withId: !model.schema.hasOwnId });
}

/** An entry as a caller sees it. */
export interface SeenEntry {
  readonly rev: number;
  readonly at: string;
  readonly who: string | null;
  readonly by?: string;
  readonly via: string | null;
  readonly op: string;
  readonly request_id: string | null;
  readonly changes: readonly SeenChange[];
}

interface SeenChange {
  readonly path: string;
  readonly from?: Shaped;
  readonly to?: Shaped;
}

/** @returns undefined for an entry that the caller may not see */
export function seenEntry(view: View, entry: Rebuilt): SeenEntry | undefined {
  const { row, before, after } = entry;
  if (!isReadable(view, after === 'none' ? before : after) && !seesAll(view)) return undefined;
  const { rev, at, who = null, by, via = null, operation: op, request_id = null } = row;
  return {
    rev,
    at: at.toISOString(),
    who,
    ...(by === undefined ? {} : { by }),
    via,
    op,
    request_id,
    changes: seenChanges(view, entry),
  };
}

const seesAll = ({ policy }: View): boolean => policy.extent('r') === 'all';

function seenChanges(view: View, { before, after }: Rebuilt): readonly SeenChange[] {
  // what came before is not known
  if (before === 'unknown' || after === 'unknown') return [];
  const [from, to] = [seenState(view, before), seenState(view, after)];
  // a new document is not deleted
  if (before === 'none' && to['_deleted'] === false) delete to['_deleted'];
  return changesBetween(from, to).map(seenChange);
}

const seenChange = ({ path, ...values }: PathChange): SeenChange => ({
  path,
  ...('from' in values ? { from: shapeValue(values.from) } : {}),
  ...('to' in values ? { to: shapeValue(values.to) } : {}),
});

/** The JSON of what is seen of a document, without what each write changes. */
function seenState(view: View, state: State): Row {
  if (!isReadable(view, state)) return {};
  const { model } = view.policy;
  const fields = defaultFields(model);
  const seen = shape(withFields(state, fields, []), { hidden: hiddenIn(view, state), fields, withId: false });
  const left = new Set([...stampsOfWrites, ...Object.values(model.schema.timestampNames)]);
  const kept = Object.entries(seen).filter(([name]) => !left.has(name));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept))) as Row;
}

/** Each entry has the user and the time itself. */
const stampsOfWrites = ['_id', '__v', 'createdAt', 'updatedAt', '_updated_by_id'];
