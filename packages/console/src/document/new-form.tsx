/** Creates a document. */
import { useEffect, useState } from 'react';
import { client } from '../api/client.ts';
import type { Id } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { writeMany } from '../api/writes.ts';
import { draftKey, dropDraft } from '../drafts.ts';
import { useUnsaved } from '../leaving.ts';
import { offerUndo } from '../parts/undo.tsx';
import { isFocusLost } from '../parts/use-focus-back.ts';
import { Restored } from '../parts/use-form.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { documentPath, go, usePlace } from '../route.ts';
import { useDraft, useKept } from './drafts.ts';
import { bodyOf, type Edits, formPaths, givenIn, isEmpty, pathsOfKind } from './edits.ts';
import { otherFaults } from './faults.ts';
import { FormFields } from './form-fields.tsx';
import { DocumentForm } from './form-frame.tsx';
import { isLeftOut } from './limits.ts';
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

const none: Edits = new Map();

export function NewForm({ model }: { readonly model: OwnModel }) {
  const { query } = usePlace();
  useFocusOnFirst();
  const [first] = useState(() => givenValues(query.get('values')));
  const allowed = formPaths(model, 'c').filter((path) => model.rights.fields[path]?.includes('c'));
  const valueIn = (from: Edits, path: string): unknown =>
    from.has(path) ? from.get(path) : model.fields[path]?.default;
  const pathsIn = (from: Edits): string[] => pathsOfKind(model, allowed, model.kinds && valueIn(from, model.kinds.key));
  const key = draftKey('document', model.name);
  const draft = useDraft(key, model);
  const { edits, set, clear, faults, error, refusals, isBusy, submit } = useEdits({
    model,
    first,
    kept: draft?.edits,
    isMissing: (path, now) =>
      pathsIn(now).includes(path) && isEmpty(valueIn(now, path)) && !isLeftOut(model, path, (one) => valueIn(now, one)),
  });
  const readValue = (path: string): unknown => valueIn(edits, path);
  const paths = pathsIn(edits);
  const discard = (): void => dropDraft(key);
  const saved = useUnsaved(edits !== first, discard);
  useKept(key, { edits: edits === first ? none : edits, before: none, tag: undefined });
  const create = async (): Promise<void> => {
    // the answer has no document where the caller may not read it
    const made = (await client
      .model(model.name)
      .create(bodyOf(givenIn(new Map([...edits].filter(([path]) => paths.includes(path))))))) as
      { _id: Id } | undefined;
    saved();
    discard();
    go(made === undefined ? ['documents', model.name] : documentPath(model.name, made._id));
    if (made !== undefined && model.rights.rows.d !== 'none') await offerRemoval(model.name, String(made._id));
  };
  return (
    <>
      {draft !== undefined && edits !== first ? <Restored discard={clear} /> : null}
      <DocumentForm
        action="Create"
        {...{ isBusy, error, refusals }}
        isDisabled={false}
        others={otherFaults(faults, paths)}
        submit={() => submit(create)}
      >
        <FormFields {...{ model, paths, readValue, set, faults }} isReadOnly={() => false} />
      </DocumentForm>
    </>
  );
}

/** The first input has the focus, since keys without an input are shortcuts; not on a phone, whose keyboard would cover the form. */
function useFocusOnFirst(): void {
  const isNarrow = useNarrow();
  useEffect(() => {
    if (isNarrow || !(isFocusLost() || document.activeElement?.id === 'main')) return;
    const input = '#main form :is(input, textarea, select):enabled:not([type="hidden"])';
    document.querySelector<HTMLElement>(input)?.focus({ preventScroll: true });
    // once
  }, []);
}

/** A new document can be deleted again, as long as it is unchanged. */
async function offerRemoval(model: string, id: string): Promise<void> {
  const removals = await removalsOf(model, [id]);
  offerUndo('Created.', async () => {
    await writeMany(removals);
    go(['documents', model]);
  });
}
