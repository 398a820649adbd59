/**
 * What a caller sees of a history: of each entry, what they may see of the document as it is now and as it was then. Changes are the
 * differences of what is seen, so that nothing hidden can be in them.
 */
import { type Policy, type Row, type ShapedJson, shapeValue } from '../../core.ts';
import { computedRow } from '../../models/mongoose/computed-row.ts';
import { withFields } from '../../policy/present.ts';
import type { Presentation } from '../../policy/presentation.ts';
import { shape } from '../../policy/shape.ts';
import type { ShapedDocument } from '../../policy/shaped.ts';
import { defaultFields, type Fields } from '../../query/fields.ts';
import { changesBetween, isStampOfWrites, type PathChange } from '../../write/mutation/row-changes.ts';
import type { EntryStates, State } from './states.ts';

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
  readonly for?: string;
  readonly via: string | null;
  readonly op: string;
  readonly request_id: string | null;
  readonly changes: readonly SeenChange[];
  /** Of an entry whose changes are larger than an answer: they are not shown. */
  readonly omitted?: true;
}

interface SeenChange {
  readonly path: string;
  readonly from?: ShapedJson;
  readonly to?: ShapedJson;
}

/** What a caller sees of the entries of one document, from one to the next. */
export class VisibleEntries {
  /** What was seen of the document after the last entry, which is what it was before the next one. */
  #last: { readonly state: State; readonly seen: Readonly<Row> } | undefined;

  /** @param pause awaited between the steps of each entry */
  constructor(
    private readonly view: View,
    private readonly pause: () => Promise<void> | undefined,
  ) {}

  /** @returns undefined for an entry that the caller may not see */
  async entry(entry: EntryStates): Promise<SeenEntry | undefined> {
    const { row, before, after } = entry;
    if (!isReadable(this.view, after === 'none' ? before : after) && !seesAll(this.view)) return undefined;
    const { rev, at, who = null, by, for: person, via = null, operation: op, request_id = null } = row;
    return {
      rev,
      at: at.toISOString(),
      who,
      ...(by === undefined ? {} : { by }),
      ...(person === undefined ? {} : { for: person }),
      via,
      op,
      request_id,
      changes: await this.#changes(entry),
    };
  }

  async #changes({ before, after }: EntryStates): Promise<readonly SeenChange[]> {
    // what came before is not known
    if (before === 'unknown' || after === 'unknown') return [];
    const [from, to] = [await this.#seen(before), await this.#seen(after)];
    this.#last = { state: after, seen: to };
    const found = changesBetween(from, before === 'none' ? withoutNotDeleted(to) : to);
    const seen: SeenChange[] = [];
    for (const [at, change] of found.entries()) {
      if (at % changesOfStep === 0) await this.pause();
      seen.push(seenChange(change));
    }
    return seen;
  }

  /** The JSON of what is seen of a document, without what each write changes. */
  async #seen(state: State): Promise<Readonly<Row>> {
    if (state === this.#last?.state) return this.#last.seen;
    if (!isReadable(this.view, state)) return {};
    const { model } = this.view.policy;
    const fields = defaultFields(model);
    const seen = shape(withFields(state, fields, []), { hidden: hiddenIn(this.view, state), fields, withId: false });
    await this.pause();
    const kept = Object.entries(seen).filter(([name]) => !isStampOfWrites(model, name));
    const text = JSON.stringify(Object.fromEntries(kept));
    await this.pause();
    return JSON.parse(text) as Row;
  }
}

/** Changes that are shaped between two pauses. */
const changesOfStep = 1000;

const seesAll = ({ policy }: View): boolean => policy.extent('r') === 'all';

/** A new document is not deleted. */
function withoutNotDeleted(seen: Readonly<Row>): Readonly<Row> {
  const { _deleted, ...others } = seen;
  return _deleted === false ? others : seen;
}

const seenChange = ({ path, ...values }: PathChange): SeenChange => ({
  path: shapeValue(path) as unknown as string,
  ...('from' in values ? { from: shapeValue(values.from) } : {}),
  ...('to' in values ? { to: shapeValue(values.to) } : {}),
});
