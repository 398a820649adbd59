/** Creates a document. */
import { useState } from 'react';
import { client } from '../api/client.ts';
import type { Id } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { writeMany } from '../api/writes.ts';
import { useUnsaved } from '../leaving.ts';
import { offerUndo } from '../parts/undo.tsx';
import { documentPath, go, usePlace } from '../route.ts';
import { bodyOf, type Edits, formPaths, pathsOfKind } from './edits.ts';
import { FormFields, otherFaults } from './form-fields.tsx';
import { DocumentForm } from './form-frame.tsx';
import { removalsOf } from './undoing.ts';
import { useEdits } from './use-edits.ts';

/** The values that the address gives, such as the link to the document from which the form was opened. */
function givenValues(text: string | null): Edits {
  try {
    const values: unknown = JSON.parse(text ?? '{}');
    return new Map(
      typeof values === 'object' && values !== null && !Array.isArray(values) ? Object.entries(values) : [],
    );
  } catch {
    // an address that was typed
    return new Map();
  }
}

export function NewForm({ model }: { readonly model: OwnModel }) {
  const { query } = usePlace();
  const [first] = useState(() => givenValues(query.get('values')));
  const { edits, set, faults, error, isBusy, submit } = useEdits(model, first);
  const readValue = (path: string): unknown => (edits.has(path) ? edits.get(path) : model.fields[path]?.default);
  const allowed = formPaths(model, 'c').filter((path) => model.rights.fields[path]?.includes('c'));
  const paths = pathsOfKind(model, allowed, model.kinds && readValue(model.kinds.key));
  const saved = useUnsaved(edits !== first);
  const create = async (): Promise<void> => {
    // the answer has no document where the caller may not read it
    const made = (await client
      .model(model.name)
      .create(bodyOf(new Map([...edits].filter(([path]) => paths.includes(path)))))) as { _id: Id } | undefined;
    saved();
    go(made === undefined ? ['documents', model.name] : documentPath(model.name, made._id));
    if (made !== undefined && model.rights.rows.d !== 'none') await offerRemoval(model.name, String(made._id));
  };
  return (
    <DocumentForm
      action="Create"
      {...{ isBusy, error }}
      isDisabled={model.rights.rows.c === 'none'}
      others={otherFaults(faults, paths)}
      submit={() => submit(create)}
    >
      <FormFields {...{ model, paths, readValue, set, faults }} isDisabled={() => false} />
    </DocumentForm>
  );
}

/** A new document can be deleted again, as long as it is unchanged. */
async function offerRemoval(model: string, id: string): Promise<void> {
  const removals = await removalsOf(model, [id]);
  offerUndo('Created.', async () => {
    await writeMany(removals);
    go(['documents', model]);
  });
}
