/** Sets a field of several documents to one value. */
import { Alert, Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { type Document, isInList, isSecret } from '../../api/fields.ts';
import { choicesOf, labelOf } from '../../api/labels.ts';
import type { OwnModel } from '../../api/models.ts';
import { pathTo, writeMany } from '../../api/writes.ts';
import { type Edits, updateOf } from '../../document/edits.ts';
import { FieldInput } from '../../document/inputs/field-input.tsx';
import { faultsOf } from '../../document/limits.ts';
import { type Change, changeOf, undoChanges } from '../../document/undoing.ts';
import { offerUndo } from '../../parts/undo.tsx';

interface ChangeParts {
  readonly model: OwnModel;
  readonly documents: readonly Document[];
  readonly done: () => void;
  /** Reads the list again. */
  readonly reread: () => void;
}

export function ChangeField(parts: ChangeParts) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        Change a field
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Change a field of ${parts.documents.length} documents`}>
        <ChangeForm {...parts} close={close} />
      </Modal>
    </>
  );
}

/** @returns what can be taken back: the changes whose earlier values the caller may read */
async function setAll(model: string, documents: readonly Document[], edits: Edits): Promise<readonly Change[]> {
  const ids = documents.map(({ _id }) => _id);
  // a table may not show the field, so its values are read for the undo
  const options = { filter: { _id: { $in: ids } }, fields: [...edits.keys()], limit: ids.length };
  const { data } = await client.model(model).list(options);
  const before = new Map(data.map((document) => [String(document._id), document]));
  const body = updateOf(edits);
  const answers = await writeMany(ids.map((id) => ({ method: 'PATCH', path: pathTo(model, id), body })));
  return answers.flatMap(({ body: { data: answered } }, at) => {
    const known = before.get(String(ids[at]));
    const change = known === undefined ? undefined : changeOf(edits, known, Object(answered) as object);
    return change === undefined ? [] : [change];
  });
}

function ChangeForm({ model, documents, done, reread, close }: ChangeParts & { readonly close: () => void }) {
  const paths = Object.keys(model.fields).filter(
    (path) =>
      model.rights.fields[path]?.includes('u') === true &&
      model.fields[path]?.hidden !== true &&
      !isSecret(path) &&
      !isInList(model, path) &&
      !path.startsWith('_'),
  );
  const [path, setPath] = useState(paths[0] ?? '');
  const [value, setValue] = useState<unknown>();
  const [fault, setFault] = useState('');
  const field = model.fields[path];
  const edits = new Map([[path, value ?? null]]);
  const change = async (): Promise<void> => {
    const changes = await setAll(model.name, documents, edits);
    reread();
    const said = `${labelOf(model, path)} of ${documents.length} documents changed.`;
    if (changes.length === 0) notifications.show({ message: said });
    else offerUndo(said, () => undoChanges(model.name, changes).finally(reread));
    close();
    done();
  };
  const submit = (): void => {
    const [own] = faultsOf(model, edits);
    setFault(own?.message ?? '');
    if (own === undefined) change().catch((error: unknown) => setFault(textOf(error)));
  };
  return (
    <Stack>
      <NativeSelect
        label="Field"
        data={choicesOf(model, paths)}
        value={path}
        onChange={({ currentTarget }) => {
          setPath(currentTarget.value);
          setValue(undefined);
        }}
      />
      {field === undefined ? null : (
        <FieldInput key={path} label="New value" {...{ model, path, field, value }} set={setValue} />
      )}
      {fault === '' ? null : (
        <Alert color="red" variant="outline" role="alert">
          {fault}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button onClick={submit}>Change</Button>
      </Group>
    </Stack>
  );
}
