/** A stored row in the default form of answers: with the schema's virtuals and getters, without `select: false`. */
import { computedRow } from '../models/mongoose/computed-row.ts';
import { defaultFields } from '../query/fields.ts';
import type { Policy } from './policy.ts';
import { shape } from './shape.ts';
import type { ShapedDocument } from './shaped.ts';
import { withFields } from './with-fields.ts';

export function present(policy: Policy, row: Readonly<Record<string, unknown>>): ShapedDocument {
  const { model } = policy;
  const shown = withFields(computedRow(model, { ...row }), defaultFields(model), []);
  return shape(shown, { hidden: policy.hiddenIn(row), fields: undefined, withId: !model.schema.hasOwnId });
}
