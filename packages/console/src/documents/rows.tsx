/** The rows of a table: sorted by their headers, chosen by their boxes, each opens its document. */
import { Checkbox, Table } from '@mantine/core';
import { type Document, type Id, isLong, titleField, titleOf } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { isOwn } from '../document/edits.ts';
import { change, changedHref } from '../route.ts';
import { Cell } from './cell.tsx';
import { type Choosing, onBox } from './choosing.ts';
import { Header, widthStyle } from './header.tsx';
import { useKept } from './kept-table.ts';
import { headOf, type ListState } from './list-state.ts';
import { isForRow, press } from './row-clicks.ts';
import { keyNames, onRowKey } from './row-keys.ts';
import type { KeptTable } from './table-look.ts';
import { TitleLink } from './title-link.tsx';

export interface RowsParts {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly rows: readonly Document[];
  readonly choosing: Choosing;
  /** The documents that have just changed. */
  readonly changed: ReadonlySet<Id>;
  readonly isDeleted: (document: Document) => boolean;
  /** The id of the document that is shown beside the table. */
  readonly opened: string | undefined;
}

export function Rows(parts: RowsParts) {
  const { model, state, rows, choosing } = parts;
  const { chosen, toggleAll } = choosing;
  const { widths } = useKept(model.name);
  const all = rows.every(({ _id }) => chosen.has(_id));
  return (
    <div
      className="scrolling"
      tabIndex={0}
      role="region"
      aria-label={`Documents of ${labelOfModel(model)}`}
      aria-keyshortcuts={keyNames}
      data-rows
      onKeyDown={onRowKey(rows, choosing)}
    >
      <Table highlightOnHover verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36} className="choosing">
              <Checkbox
                aria-label="Choose all documents of this page"
                checked={all}
                indeterminate={!all && chosen.size > 0}
                onChange={toggleAll}
              />
            </Table.Th>
            {hasTitle(parts) ? null : <Table.Th>Document</Table.Th>}
            {state.columns.map((path) => (
              <Header
                key={path}
                model={model.name}
                path={path}
                label={headOf(model, state, path)}
                {...{ state, widths }}
              />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((document) => (
            <Row key={document._id} {...{ document, widths }} {...parts} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

/** The classes of the row or card of a document. */
export const marksOf = (document: Document, { changed, isDeleted, opened }: RowsParts): string =>
  [
    'opens',
    String(document._id) === opened ? 'opened' : '',
    isDeleted(document) ? 'deleted' : '',
    changed.has(document._id) ? 'flash' : '',
  ]
    .filter(Boolean)
    .join(' ');

/** Whether a column shows the title; without one, the titles have a column of their own. */
const hasTitle = ({ model, state }: Pick<RowsParts, 'model' | 'state'>): boolean =>
  state.columns.includes(titleField(model) ?? '');

function Row(parts: RowsParts & { readonly document: Document; readonly widths: KeptTable['widths'] }) {
  const { document, model, state, choosing, opened } = parts;
  const { _id: id } = document;
  const isChosen = choosing.chosen.has(id);
  const isOpened = String(id) === opened;
  const open = { open: String(id) };
  const link = <TitleLink href={changedHref(open)} isOpened={isOpened} document={document} model={model} />;
  const title = titleField(model);
  return (
    <Table.Tr
      className={marksOf(document, parts)}
      onMouseDown={press}
      onClick={(event) => (isForRow(event) ? change(open) : undefined)}
      {...(isChosen ? { 'data-chosen': true, bg: 'var(--mantine-color-blue-light)' } : {})}
    >
      <Table.Td className="choosing">
        <Checkbox aria-label={`Choose ${titleOf(document, model)}`} checked={isChosen} onChange={onBox(id, choosing)} />
      </Table.Td>
      {hasTitle(parts) ? null : <Table.Td className="cell own">{link}</Table.Td>}
      {state.columns.map((path) => (
        <Table.Td
          key={path}
          className={['cell', ...(isLongIn(model, path) ? ['long'] : []), ...(isOwn(path) ? ['own'] : [])].join(' ')}
          dir="auto"
          style={widthStyle(parts.widths[path])}
        >
          {path === title ? link : <Cell document={document} path={path} field={model.fields[path]} />}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function isLongIn({ fields }: OwnModel, path: string): boolean {
  const field = fields[path];
  return field !== undefined && isLong(path, field);
}
