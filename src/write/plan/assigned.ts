/** What the application sets in a document that a caller changes. */
import type { ModelActor } from '../../context.ts';
import { validationFailed } from '../../errors/errors.ts';
import { firstName } from '../../models/fields/path-type.ts';
import { realPath } from '../../models/fields/resolve-alias.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Json } from '../../models/plain-object.ts';
import type { Update } from '../../query/updates.ts';
import { assignedFields } from '../rules/body.ts';
import { hashPasswords } from '../rules/passwords.ts';
import { readTypes } from '../rules/types.ts';
import { groupFaults } from '../rules/user-rules.ts';

/** The values for a change of a document, read by the types of their paths, with hashes in place of passwords. @throws 400 */
export async function assignedChange(actor: ModelActor, assignments: Json, id: string | undefined): Promise<Row> {
  const { model } = actor;
  const values = assignedFields(actor, assignments, 'change');
  const faults = [...readTypes(values, model.schema)];
  const hashed = await hashPasswords(actor, values, { id, passwords: 'mixed' }, faults);
  faults.push(...groupFaults(model, hashed));
  if (faults.length > 0) throw validationFailed(faults);
  return hashed;
}

/** An update that also sets values of fields. They replace what it does to these fields, and to what they hold. */
export function withAssignedValues({ model }: ModelActor, { $set = {}, ...operators }: Update, values: Row): Update {
  const isOther = (path: string): boolean => !Object.hasOwn(values, firstName(realPath(model.schema, path)));
  const others = (operand: Row): Row => Object.fromEntries(Object.entries(operand).filter(([path]) => isOther(path)));
  const left = Object.entries(operators)
    .map(([name, operand]) => [name, others(operand)] as const)
    .filter(([, operand]) => Object.keys(operand).length > 0);
  return { ...Object.fromEntries(left), $set: { ...others($set), ...values } };
}
