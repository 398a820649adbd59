/** The collection of the audit log. */
import { type InternalModel, internalSchema, objectId } from '../../core.ts';
import { mixedType } from '../../models/built-in/internal-model.ts';

/**
 * An event of the audit log (docs/audit.md). `whom` is the id of a user, or with `model` that of a document; `count` is the number
 * of failed logins that the record stands for.
 */
export const auditModel = {
  name: 'audit',
  collection: '_dossier_audit',
  schema: () =>
    internalSchema(
      {
        who: { type: objectId, index: true },
        // documents may have ids of other types, which are recorded as text
        whom: { type: mixedType, index: true },
        what: { type: String, required: true },
        when: { type: Date, required: true, index: true },
        address: String,
        method: String,
        by: objectId,
        for: objectId,
        via: String,
        model: String,
        document: mixedType,
        paths: { type: [String], default: undefined },
        count: Number,
        expires: { type: Date, select: false, index: { expireAfterSeconds: 0 } },
      },
      { perms: { admin: 'r' } },
    ),
} as const satisfies InternalModel;
