/** Changes a document. */
import { Alert, Button, Group } from '@mantine/core';
import { valueAt } from '../api/fields.ts';
import { type OwnModel, useRightsOn } from '../api/models.ts';
import { useUnsaved } from '../leaving.ts';
import { Conflict } from './conflict.tsx';
import { changesOf, formPaths, pathsOfKind } from './edits.ts';
import { FormFields, otherFaults } from './form-fields.tsx';
import { DocumentForm } from './form-frame.tsx';
import { Stamps } from './stamps.tsx';
import type { Revision } from './use-document.ts';
import { useEdits } from './use-edits.ts';
import { useSaving } from './use-saving.ts';

interface EditParts {
  readonly model: OwnModel;
  readonly revision: Revision;
  readonly reload: () => void;
}

export function EditForm({ model, revision, reload }: EditParts) {
  const { document } = revision;
  const form = useEdits(model);
  const rights = useRightsOn(model.name, String(document._id)).data;
  const { kinds } = model;
  const kind = kinds && valueAt(document, kinds.key);
  // the kind of a document stays
  const paths = pathsOfKind(model, formPaths(model, 'u'), kind).filter(
    (path) => path !== kinds?.key || kind !== undefined,
  );
  const changes = changesOf(document, form.edits);
  useUnsaved(changes.size > 0);
  const { theirs, isOutdated, write, compare, drop } = useSaving({
    model,
    revision,
    reload,
    changes,
    clear: form.clear,
  });
  const mayChange = (path: string): boolean =>
    path !== kinds?.key && rights?.rows.u === true && rights.fields[path]?.includes('u') === true;
  return (
    <>
      {isOutdated ? <Outdated show={compare} /> : null}
      {theirs === undefined ? null : (
        <Conflict
          {...{ model, paths, theirs }}
          before={document}
          edits={changes}
          keepMine={() => form.submit(() => write(theirs))}
          takeTheirs={drop}
        />
      )}
      <DocumentForm
        action="Save"
        isBusy={form.isBusy}
        error={form.error}
        isDisabled={changes.size === 0 || theirs !== undefined}
        others={otherFaults(form.faults, paths)}
        submit={() => form.submit(() => write(revision))}
      >
        <FormFields
          {...{ model, paths }}
          readValue={(path) => (form.edits.has(path) ? form.edits.get(path) : valueAt(document, path))}
          set={form.set}
          faults={form.faults}
          isDisabled={(path) => !mayChange(path)}
        />
      </DocumentForm>
      <Stamps model={model} document={document} />
    </>
  );
}

const Outdated = ({ show }: { readonly show: () => void }) => (
  <Alert color="orange" variant="outline" mb="md" role="status">
    <Group justify="space-between">
      Someone changed this document while you were editing it.
      <Button size="xs" variant="default" onClick={show}>
        Compare
      </Button>
    </Group>
  </Alert>
);
