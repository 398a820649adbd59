/** What can be done with a document as a whole. */
import { Alert, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { client } from '../api/client.ts';
import { type OwnModel, useRightsOn } from '../api/models.ts';
import { writeMany } from '../api/writes.ts';
import { Confirm } from '../parts/confirm.tsx';
import { run } from '../parts/run.ts';
import { offerUndo } from '../parts/undo.tsx';
import { removalsOf } from './undoing.ts';
import type { Revision } from './use-document.ts';

interface ActionsParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
  /** Leaves a document that no longer exists. */
  readonly leave: () => void;
  /** The way to the other documents; undefined beside their table. */
  readonly back: ReactNode;
}

export function Actions({ model, revision: { document }, reload, leave, back }: ActionsParts) {
  const id = String(document._id);
  const isDeleted = document['_deleted'] === true;
  const documents = client.model(model.name);
  const remove = async (): Promise<void> => {
    await documents.remove(id);
    offerUndo('The document is deleted.', () => documents.restore(id).then(reload));
    reload();
  };
  return (
    <Group gap="sm" my="sm">
      {back}
      {isDeleted ? (
        <DeletedActions {...{ model, id, reload, leave }} />
      ) : (
        <RemoveButton {...{ model, id }} remove={() => run(remove)} />
      )}
    </Group>
  );
}

interface OneParts {
  readonly model: OwnModel;
  readonly id: string;
}

type DeletedParts = OneParts & Pick<ActionsParts, 'reload' | 'leave'>;

function RemoveButton({ model, id, remove }: OneParts & { readonly remove: () => void }) {
  const mayRemove = useRightsOn(model.name, id).data?.rows.d === true;
  return mayRemove ? (
    <Button size="xs" color="red" variant="outline" onClick={remove}>
      Delete
    </Button>
  ) : null;
}

/** The server gives the rights on one document only while it is not deleted; here, those on the model decide. */
function DeletedActions({ model, id, reload, leave }: DeletedParts) {
  const [isAsked, { open, close }] = useDisclosure();
  const documents = client.model(model.name);
  const removePermanently = async (): Promise<void> => {
    await documents.remove(id, { permanent: true });
    leave();
  };
  const restore = async (): Promise<void> => {
    await documents.restore(id);
    const removals = model.rights.rows.d === 'none' ? [] : await removalsOf(model.name, [id]);
    reload();
    if (removals.length > 0) offerUndo('The document is restored.', () => writeMany(removals).then(reload));
  };
  return (
    <>
      <Alert color="red" variant="outline" p="xs">
        This document is deleted.
      </Alert>
      {model.rights.rows.u === 'none' ? null : (
        <Button size="xs" variant="default" onClick={() => run(restore)}>
          Restore
        </Button>
      )}
      {model.rights.rows.d === 'none' ? null : (
        <Button size="xs" color="red" variant="outline" onClick={open}>
          Remove permanently
        </Button>
      )}
      <Confirm
        isOpen={isAsked}
        close={close}
        title="Remove this document permanently?"
        action="Remove permanently"
        act={() => run(removePermanently, 'Removed permanently.')}
      >
        It cannot be restored.
      </Confirm>
    </>
  );
}
