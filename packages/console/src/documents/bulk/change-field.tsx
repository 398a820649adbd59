/** Sets a field of several documents to one value. */
import { Alert, Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { type Document, isInList, isSecret, valueAt } from '../../api/fields.ts';
import type { OwnModel } from '../../api/models.ts';
import { FieldInput } from '../../document/inputs/field-input.tsx';
import { faultsOf } from '../../document/limits.ts';
import { offerUndo } from '../../parts/undo.tsx';
import { pathTo, writeMany } from './write-many.ts';

interface ChangeParts {
  readonly model: OwnModel;
  readonly documents: readonly Document[];
  readonly done: () => void;
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

/** An update that gives a field a value, or takes it away. */
const updateTo = (path: string, value: unknown): object =>
  value === undefined || value === null ? { $unset: { [path]: 1 } } : { $set: { [path]: value } };

function ChangeForm({ model, documents, done, close }: ChangeParts & { readonly close: () => void }) {
  const queries = useQueryClient();
  const paths = Object.keys(model.fields).filter(
    (path) =>
      model.rights.fields[path]?.includes('u') === true &&
      !isSecret(path) &&
      !isInList(model, path) &&
      !path.startsWith('_'),
  );
  const [path, setPath] = useState(paths[0] ?? '');
  const [value, setValue] = useState<unknown>();
  const [fault, setFault] = useState('');
  const field = model.fields[path];
  const write = async (valueFor: (id: string) => unknown): Promise<void> => {
    await writeMany(
      documents.map(({ _id }) => ({
        method: 'PATCH',
        path: pathTo(model.name, _id),
        body: updateTo(path, valueFor(_id)),
      })),
    );
    await queries.invalidateQueries({ queryKey: ['list', model.name] });
  };
  const change = async (): Promise<void> => {
    // a table may not show the field, so its values are read for the way back
    const ids = documents.map(({ _id }) => _id);
    const { data } = await client
      .model(model.name)
      .list({ filter: { _id: { $in: ids } }, fields: [path], limit: ids.length });
    const before = new Map(data.map((document) => [document._id, valueAt(document, path)]));
    await write(() => value);
    offerUndo(`${path} of ${documents.length} documents changed.`, () => write((id) => before.get(id)));
    close();
    done();
  };
  const submit = (): void => {
    const [own] = faultsOf(model, new Map([[path, value]]));
    setFault(own?.message ?? '');
    if (own === undefined) change().catch((error: unknown) => setFault(textOf(error)));
  };
  return (
    <Stack>
      <NativeSelect
        label="Field"
        data={paths}
        value={path}
        onChange={({ currentTarget }) => {
          setPath(currentTarget.value);
          setValue(undefined);
        }}
      />
      {field === undefined ? null : (
        <FieldInput key={path} label="New value" {...{ path, field, value }} set={setValue} />
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
