/** Changes a document. */
import { Alert, Button, Group } from '@mantine/core';
import type { Rights } from 'dossier-client';
import { useEffect } from 'react';
import { valueAt } from '../api/fields.ts';
import { type OwnModel, useRightsOn } from '../api/models.ts';
import { draftKey, dropDraft } from '../drafts.ts';
import { useUnsaved } from '../leaving.ts';
import { Loaded } from '../parts/states.tsx';
import { Restored } from '../parts/use-form.tsx';
import { Conflict, useSomeone } from './conflict.tsx';
import { useBeginning, useDraft, useKept } from './drafts.ts';
import { changesOf, formPaths, isEmpty, pathsOfKind } from './edits.ts';
import { otherFaults } from './faults.ts';
import { FormFields } from './form-fields.tsx';
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

export function EditForm(parts: EditParts) {
  const { model, revision } = parts;
  return (
    <Loaded of={useRightsOn(model.name, String(revision.document._id))}>
      {(rights) => <WithRights {...parts} rights={rights} />}
    </Loaded>
  );
}

/** A form where the caller may change a field, otherwise its fields as text. */
function WithRights({ rights, ...parts }: EditParts & { readonly rights: Rights<boolean> | null }) {
  const { model, revision } = parts;
  const { document } = revision;
  const { kinds } = model;
  const kind = kinds && valueAt(document, kinds.key);
  // the kind of a document stays
  const paths = pathsOfKind(model, formPaths(model, 'u'), kind).filter(
    (path) => path !== kinds?.key || kind !== undefined,
  );
  const mayChange = (path: string): boolean =>
    path !== kinds?.key &&
    model.fields[path]?.immutable !== true &&
    rights?.rows.u === true &&
    rights.fields[path]?.includes('u') === true;
  return (
    <>
      {paths.some(mayChange) ? (
        <ChangeForm {...parts} {...{ paths, mayChange }} />
      ) : (
        <FormFields {...{ model, paths }} readValue={(path) => valueAt(document, path)} isReadOnly={() => true} />
      )}
      <Stamps model={model} document={document} />
    </>
  );
}

interface ChangeParts extends EditParts {
  readonly paths: readonly string[];
  readonly mayChange: (path: string) => boolean;
}

function ChangeForm({ model, revision, reload, paths, mayChange }: ChangeParts) {
  const { document } = revision;
  const key = draftKey('document', model.name, document._id);
  const draft = useDraft(key, model);
  const form = useEdits({
    model,
    kept: draft?.edits,
    // what a document lacks already is the server's to judge
    isMissing: (path, now) => now.get(path) !== undefined && isEmpty(now.get(path)),
  });
  const changes = changesOf(document, form.edits);
  useUnsaved(changes.size > 0, () => dropDraft(key));
  const { stale, end } = useBeginning(draft, revision.tag);
  const readBefore = (path: string): unknown =>
    stale?.before.has(path) ? stale.before.get(path) : valueAt(document, path);
  const before = new Map([...changes.keys()].map((path) => [path, readBefore(path)]));
  useKept(key, { edits: changes, before, tag: stale === undefined ? revision.tag : stale.tag });
  const clear = (): void => (form.clear(), end());
  const saved = (): void => (form.saved(form.edits), end());
  const { theirs, changedBy, write, compare, drop } = useSaving({ model, revision, reload, changes, clear, saved });
  useEffect(() => {
    if (stale !== undefined && changes.size > 0) compare();
    else end();
    // once, for what was kept
  }, []);
  return (
    <>
      {draft !== undefined && changes.size > 0 && theirs === undefined ? <Restored discard={clear} /> : null}
      {changedBy === undefined ? null : <Outdated user={changedBy} show={compare} />}
      {theirs === undefined ? null : (
        <Conflict
          {...{ model, paths, theirs, readBefore }}
          edits={changes}
          save={(chosen) => form.submit(() => write(theirs, chosen), chosen)}
          takeTheirs={drop}
        />
      )}
      <DocumentForm
        action="Save"
        isBusy={form.isBusy}
        error={form.error}
        refusals={form.refusals}
        isDisabled={changes.size === 0 || theirs !== undefined}
        others={otherFaults(form.faults, paths)}
        submit={() => form.submit(() => write(revision))}
      >
        <FormFields
          {...{ model, paths }}
          readValue={(path) => (form.edits.has(path) ? form.edits.get(path) : valueAt(document, path))}
          set={form.set}
          faults={form.faults}
          isReadOnly={(path) => !mayChange(path)}
        />
      </DocumentForm>
    </>
  );
}

const Outdated = ({ user, show }: { readonly user: string | null; readonly show: () => void }) => (
  <Alert color="orange" variant="outline" mb="md" role="status">
    <Group justify="space-between">
      {useSomeone(user)} changed this document while you were editing it.
      <Button size="xs" variant="default" onClick={show}>
        Compare
      </Button>
    </Group>
  </Alert>
);
