/** The update operators of what a patch changes. */
import type { ModelActor } from '../../context.ts';
import { badValue } from '../../errors.ts';
import { withLinkIds } from '../../models/fields/shown-links.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { fieldsIn } from '../../policy/fields-in.ts';
import { StoredSecret } from '../../policy/readable.ts';
import type { Difference } from '../plan/difference.ts';
import { refuseOtherId } from '../rules/own-id.ts';
import { readTypes } from '../rules/types.ts';
import { isSettableVirtual } from '../rules/virtuals.ts';

/** @throws 400 for a list with stored passwords whose members move */
export function updateOf(actor: ModelActor, id: string | undefined, changes: Difference): Row {
  const $set: Row = {};
  const $unset: Row = {};
  refuseOtherId(actor.model, changes, id);
  for (const [path, value] of Object.entries(withLinkIds(actor.model, changes))) {
    if (holdsSecrets(value))
      throw badValue(
        path,
        'path',
        'holds members with passwords: change fields of single members, such as /logins/0/site, or send the whole list',
      );
    if (value !== undefined) $set[path] = value;
    else if (isSettableVirtual(actor.model, path)) $set[path] = null;
    else if (counts(actor, path)) $unset[path] = '';
  }
  return Object.keys($unset).length === 0 ? { $set } : { $set, $unset };
}

function holdsSecrets(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsSecrets);
  return isPlainObject(value) ? Object.values(value).some(holdsSecrets) : value instanceof StoredSecret;
}

/** Whether a body may name a path; what answers carry besides, such as stamps, is ignored. */
function counts({ model, principal }: ModelActor, path: string): boolean {
  const fields = fieldsIn({ [path]: null }, model, principal, 'change');
  return readTypes(fields, model.schema).length > 0 || Object.keys(fields).length > 0;
}
