/** What can be done with the chosen documents: as far as the caller may, and with an undo where possible. */
import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { BatchOperation } from 'dossier-client';
import type { Document } from '../../api/fields.ts';
import type { OwnModel } from '../../api/models.ts';
import { pathTo, writeMany } from '../../api/writes.ts';
import { removalsOf } from '../../document/undoing.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { run } from '../../parts/run.ts';
import type { Choosing } from '../choosing.ts';
import { ExportButton } from '../export-button.tsx';
import type { ListState } from '../list-state.ts';
import { ChangeField } from './change-field.tsx';
import type { Choice } from './choice.ts';
import type { Bulk, Work, Written } from './use-bulk.tsx';

interface SelectedParts {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly choice: Choice;
  readonly choosing: Choosing;
  readonly bulk: Bulk;
}

export function Selected({ model, state, choice, choosing, bulk }: SelectedParts) {
  const { clear } = choosing;
  const { rows } = model.rights;
  const { text, more, kept, deleted, ids } = choice;
  const acts = actsOn(model.name, bulk, clear);
  const [isAsked, { open, close }] = useDisclosure();
  return (
    <Group gap="xs" mb="sm" role="group" aria-label="Chosen documents">
      <Text size="sm" role="status">
        {text.charAt(0).toUpperCase() + text.slice(1)} chosen
      </Text>
      {more === undefined ? null : (
        <Button size="xs" variant="subtle" onClick={choosing.all}>
          Choose all {more} that match
        </Button>
      )}
      {rows.d === 'none' || kept === undefined ? null : (
        <Button size="xs" color="red" variant="outline" onClick={() => acts.remove(kept)}>
          Delete
        </Button>
      )}
      {rows.u === 'none' || deleted === undefined ? null : (
        <Button size="xs" variant="default" onClick={() => acts.restore(deleted)}>
          Restore
        </Button>
      )}
      {rows.d === 'none' || deleted === undefined ? null : (
        <Button size="xs" color="red" variant="outline" onClick={open}>
          Remove permanently
        </Button>
      )}
      {rows.u === 'none' || kept === undefined ? null : (
        <ChangeField {...{ model, bulk, text }} load={kept} done={clear} />
      )}
      <ExportButton {...{ model, state }} {...(ids === undefined ? {} : { ids })} />
      <Button size="xs" variant="subtle" onClick={clear}>
        Choose none
      </Button>
      <Confirm
        isOpen={isAsked}
        close={close}
        title={`Remove ${text} permanently?`}
        action="Remove permanently"
        act={() => deleted !== undefined && acts.removePermanently(deleted)}
      >
        They cannot be restored.
      </Confirm>
    </Group>
  );
}

type Load = () => Promise<readonly Document[]>;

const restoring = (model: string, id: string): BatchOperation => ({
  method: 'PUT',
  path: pathTo(model, id),
  body: { _deleted: false },
});

const idsOf = (written: readonly Written[]): string[] => written.map(({ document }) => String(document._id));

/** The writes, after which nothing is chosen. */
function actsOn(model: string, bulk: Bulk, clear: () => void) {
  const removing =
    (query = '') =>
    ({ _id }: Document): BatchOperation => ({ method: 'DELETE', path: pathTo(model, _id) + query });
  const act = (load: Load, work: Omit<Work, 'documents'>): void =>
    run(async () => {
      if ((await bulk({ documents: await load(), ...work })) > 0) clear();
    });
  return {
    remove: (load: Load) =>
      act(load, {
        operation: removing(),
        report: (count) => `${count} deleted.`,
        undo: (written) => () => writeMany(idsOf(written).map((id) => restoring(model, id))),
      }),
    restore: (load: Load) =>
      act(load, {
        operation: ({ _id }) => restoring(model, String(_id)),
        report: (count) => `${count} restored.`,
        undo: (written) => async () => writeMany(await removalsOf(model, idsOf(written))),
      }),
    removePermanently: (load: Load) =>
      act(load, { operation: removing('?_permaDelete=1'), report: (count) => `${count} removed permanently.` }),
  };
}
