/** Virtuals that a setter of the model file writes: only a document has them, so that an update would drop their values. */
import { badValue } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import type { Row } from '../../models/mongoose.ts';

/** @param path not an alias */
export const isSettableVirtual = ({ schema, documentRules }: ModelEntry, path: string): boolean =>
  documentRules.some((rule) => rule.kind === 'virtual' && rule.path === withoutPositions(schema, path));

/** @param set what an update sets @throws 400 naming the virtual and the way that sets it */
export function refuseVirtuals(model: ModelEntry, set: Readonly<Row>): void {
  const path = Object.keys(set).find((one) => isSettableVirtual(model, one));
  if (path !== undefined)
    throw badValue(path, 'virtual', `is a virtual, which an update does not set: use PUT /update/${model.name}`);
}
