/** Sets a field of several documents to one value. */
import { Alert, Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { type Document, isInList, isSecret } from '../../api/fields.ts';
import { choicesOf, labelOf } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { pathTo } from '../../api/writes.ts';
import { type Edits, isEmpty, updateOf } from '../../document/edits.ts';
import { FieldInput } from '../../document/inputs/field-input.tsx';
import { faultsOf } from '../../document/limits.ts';
import { type Change, changeOf, undoChanges } from '../../document/undoing.ts';
import { draftKey } from '../../drafts.ts';
import { useDialogForm } from '../../parts/use-form.tsx';
import type { Bulk, Written } from './use-bulk.tsx';

interface ChangeParts {
  readonly model: OwnModel;
  /** The chosen documents, such as “3 documents”. */
  readonly text: string;
  readonly load: () => Promise<readonly Document[]>;
  readonly bulk: Bulk;
  readonly done: () => void;
}

export function ChangeField(parts: ChangeParts) {
  const draft = draftKey('change', parts.model.name);
  // after a reload it does not open by itself: the first document that is chosen again is not the last one
  const [isOpen, { open, close }] = useDisclosure();
  const [isBusy, setBusy] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Change a field
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Change a field of ${parts.text}`} closeOnEscape={!isBusy}>
        <ChangeForm {...parts} {...{ draft, close, isBusy, setBusy }} />
      </Modal>
    </>
  );
}

/** Documents whose values are read at a time. */
const readAtOnce = 100;

/** The documents as they are, for the undo: a table may not show the field. */
async function valuesOf(model: string, documents: readonly Document[], fields: readonly string[]) {
  const found = new Map<string, object>();
  for (let at = 0; at < documents.length; at += readAtOnce) {
    const ids = documents.slice(at, at + readAtOnce).map(({ _id }) => _id);
    const { data } = await client.model(model).list({ filter: { _id: { $in: ids } }, fields, limit: ids.length });
    for (const document of data) found.set(String(document._id), document);
  }
  return found;
}

/** What can be taken back: the changes whose earlier values the caller may read. */
const changesIn = (written: readonly Written[], before: ReadonlyMap<string, object>, edits: Edits): Change[] =>
  written.flatMap(({ document, answer }) => {
    const known = before.get(String(document._id));
    const change = known === undefined ? undefined : changeOf(edits, known, Object(answer.body['data']) as object);
    return change === undefined ? [] : [change];
  });

/** Changes a field of all documents. @returns how many were changed */
async function changeAll({ model, load, bulk }: ChangeParts, path: string, edits: Edits): Promise<number> {
  const documents = await load();
  const before = await valuesOf(model.name, documents, [path]);
  const body = updateOf(edits);
  return bulk({
    documents,
    operation: ({ _id }) => ({ method: 'PATCH', path: pathTo(model.name, _id), body }),
    report: (count) => `${labelOf(model, path)} of ${count} changed.`,
    undo: (written) => {
      const changes = changesIn(written, before, edits);
      return changes.length === 0 ? undefined : () => undoChanges(model.name, changes);
    },
  });
}

const changeable = (model: OwnModel): string[] =>
  Object.keys(model.fields).filter(
    (path) =>
      model.rights.fields[path]?.includes('u') === true &&
      model.fields[path]?.immutable !== true &&
      model.fields[path]?.hidden !== true &&
      !isSecret(path) &&
      !isInList(model, path) &&
      !path.startsWith('_'),
  );

interface FormParts extends ChangeParts {
  readonly draft: string;
  readonly close: () => void;
  readonly isBusy: boolean;
  readonly setBusy: (is: boolean) => void;
}

function ChangeForm(parts: FormParts) {
  const { model, text, draft, isBusy, setBusy } = parts;
  const paths = changeable(model);
  const first: { path: string; value: unknown } = { path: paths[0] ?? '', value: undefined };
  const form = useDialogForm(draft, first);
  // a field may have gone since
  const { path, value } = paths.includes(form.values.path) ? form.values : first;
  // emptying a field is asked about
  const [isAsked, setAsked] = useState(false);
  const field = model.fields[path];
  const set = (next: Partial<typeof form.values>): void => {
    form.set(next);
    setAsked(false);
  };
  const submit = (): void => {
    const edits = new Map([[path, value ?? null]]);
    const [own] = faultsOf(model, edits);
    form.fail(own?.message ?? '');
    const isEmptying = isEmpty(value) || (Array.isArray(value) && value.length === 0);
    if (own !== undefined || (isEmptying && !isAsked)) return setAsked(own === undefined);
    setBusy(true);
    changeAll(parts, path, edits)
      .then((count) => (count > 0 ? (parts.close(), parts.done()) : undefined))
      .catch((error: unknown) => form.fail(textOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Stack>
      {form.notice}
      <NativeSelect
        label="Field"
        data={choicesOf(model, paths)}
        value={path}
        onChange={({ currentTarget }) => set({ path: currentTarget.value, value: undefined })}
      />
      {field === undefined ? null : (
        <FieldInput
          key={path}
          label="New value"
          {...{ model, path, field, value }}
          set={(next) => set({ value: next })}
        />
      )}
      {form.alert}
      {isAsked ? (
        <Alert color="orange" variant="outline" role="alert">
          {`${labelOf(model, path)} of ${text} will be emptied.`}
        </Alert>
      ) : null}
      <Group justify="flex-end">
        <Button onClick={submit} loading={isBusy} {...(isAsked ? { color: 'red' } : {})}>
          {isAsked ? 'Empty' : 'Change'}
        </Button>
      </Group>
    </Stack>
  );
}
