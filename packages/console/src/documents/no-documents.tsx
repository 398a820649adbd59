/** In place of the rows of a table that has none: why, and what can be done. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { isGranted, type OwnModel } from '../api/models.ts';
import { Empty } from '../parts/states.tsx';
import { hrefOf, newPart } from '../route.ts';
import { type ListState, select } from './list-state.ts';

interface NoneParts {
  readonly model: OwnModel;
  readonly state: ListState;
}

export function NoDocuments({ model, state }: NoneParts) {
  const { text, actions } = reasonOf(model, state);
  return <Empty actions={actions}>{text}</Empty>;
}

interface Reason {
  readonly text: string;
  readonly actions: ReactNode;
}

const act = (label: string, values: Readonly<Record<string, undefined>>): ReactNode => (
  <Button size="xs" variant="default" onClick={() => select(values)}>
    {label}
  </Button>
);

const lead = (label: string, path: readonly string[]): ReactNode => (
  <Button component="a" size="xs" variant="default" href={hrefOf(path)}>
    {label}
  </Button>
);

function reasonOf(model: OwnModel, { search, filterText, deleted, after, before }: ListState): Reason {
  if (after !== undefined || before !== undefined)
    return { text: 'No documents. They have gone from this page.', actions: act('First page', {}) };
  const isFiltered = filterText !== '' && filterText !== '{}';
  if (isFiltered || search !== '')
    return {
      text: 'No documents. None has what you look for.',
      actions: (
        <>
          {isFiltered ? act('Remove the filter', { filter: undefined }) : null}
          {search === '' ? null : act('Remove the search', { search: undefined })}
        </>
      ),
    };
  if (deleted === 'only') return { text: 'The trash is empty.', actions: act('All documents', { deleted: undefined }) };
  if (model.rights.rows.c === 'none')
    return {
      text: `No documents.${isGranted(model, 'c') ? ' An admin of this server can give you the right to create some.' : ''}`,
      actions: undefined,
    };
  return {
    text: 'No documents. Create the first one, or import a file.',
    actions: (
      <>
        {lead('Create', ['documents', model.name, newPart])}
        {lead('Import a file', ['import', model.name])}
      </>
    ),
  };
}
