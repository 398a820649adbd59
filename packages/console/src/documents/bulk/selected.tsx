/** What can be done with the chosen documents: as far as the caller may, and with an undo where possible. */
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BatchOperation } from 'dossier-client';
import type { Document } from '../../api/fields.ts';
import type { OwnModel } from '../../api/models.ts';
import { pathTo, writeMany } from '../../api/writes.ts';
import { removalsOf } from '../../document/undoing.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { documentsText } from '../../parts/count.ts';
import { run } from '../../parts/run.ts';
import { offerUndo } from '../../parts/undo.tsx';
import { ExportButton } from '../export-button.tsx';
import { isDeleted, type ListState } from '../list-state.ts';
import { ChangeField } from './change-field.tsx';

interface SelectedParts {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly documents: readonly Document[];
  readonly clear: () => void;
  /** Reads the list again. */
  readonly reread: () => void;
}

const numbered = ({ length }: readonly unknown[]): string => documentsText(length);

export function Selected({ model, state, documents, clear, reread }: SelectedParts) {
  const { rows } = model.rights;
  const deleted = documents.filter(isDeleted);
  const kept = documents.filter((document) => !isDeleted(document));
  const acts = actsOn(model.name, clear, reread);
  const [isAsked, { open, close }] = useDisclosure();
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Chosen documents">
      <Text size="sm" role="status">
        {numbered(documents)} chosen
      </Text>
      {rows.d === 'none' || kept.length === 0 ? null : (
        <Button size="xs" color="red" variant="outline" onClick={() => acts.remove(kept)}>
          Delete
        </Button>
      )}
      {rows.u === 'none' || deleted.length === 0 ? null : (
        <Button size="xs" variant="default" onClick={() => acts.restore(deleted)}>
          Restore
        </Button>
      )}
      {rows.d === 'none' || deleted.length === 0 ? null : (
        <Button size="xs" color="red" variant="outline" onClick={open}>
          Remove permanently
        </Button>
      )}
      {rows.u === 'none' || kept.length === 0 ? null : (
        <ChangeField model={model} documents={kept} done={clear} reread={reread} />
      )}
      <ExportButton {...{ model, state }} ids={documents.map(({ _id }) => _id)} />
      <Button size="xs" variant="subtle" onClick={clear}>
        Choose none
      </Button>
      <Confirm
        isOpen={isAsked}
        close={close}
        title={`Remove ${numbered(deleted)} permanently?`}
        action="Remove permanently"
        act={() => acts.removePermanently(deleted)}
      >
        They cannot be restored.
      </Confirm>
    </Group>
  );
}

const idsOf = (documents: readonly Document[]): string[] => documents.map(({ _id }) => String(_id));

/** The writes, after each of which the list is read again. */
function actsOn(model: string, clear: () => void, reread: () => void) {
  const writeAll = async (operations: readonly BatchOperation[]): Promise<void> => {
    await writeMany(operations);
    clear();
    reread();
  };
  const write = (documents: readonly Document[], of: (id: string) => BatchOperation): Promise<void> =>
    writeAll(idsOf(documents).map(of));
  const restoring = (documents: readonly Document[]): Promise<void> =>
    write(documents, (id) => ({ method: 'PUT', path: pathTo(model, id), body: { _deleted: false } }));
  const removing = (documents: readonly Document[], query = ''): Promise<void> =>
    write(documents, (id) => ({ method: 'DELETE', path: pathTo(model, id) + query }));
  return {
    remove: (documents: readonly Document[]) =>
      run(async () => {
        await removing(documents);
        offerUndo(`${numbered(documents)} deleted.`, () => restoring(documents));
      }),
    restore: (documents: readonly Document[]) =>
      run(async () => {
        await restoring(documents);
        const removals = await removalsOf(model, idsOf(documents));
        offerUndo(`${numbered(documents)} restored.`, () => writeAll(removals));
      }),
    removePermanently: (documents: readonly Document[]) =>
      run(() => removing(documents, '?_permaDelete=1'), `${numbered(documents)} removed permanently.`),
  };
}
