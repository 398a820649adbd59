/** The rows of a table: sorted by their headers, chosen by their boxes. */
import { Anchor, Checkbox, Table, UnstyledButton } from '@mantine/core';
import { type Document, type Id, isSecret, titleOf } from '../api/fields.ts';
import type { OwnModel } from '../api/models.ts';
import { documentPath, hrefOf } from '../route.ts';
import { Cell } from './cell.tsx';
import { type ListState, select } from './list-state.ts';

/** Long ids differ at their ends. */
const shortId = (id: string): string => (id.length > 12 ? id.slice(-6) : id);

interface RowsParts {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly rows: readonly Document[];
  readonly chosen: ReadonlySet<Id>;
  readonly setChosen: (ids: ReadonlySet<Id>) => void;
  /** The documents that have just changed. */
  readonly changed: ReadonlySet<Id>;
  readonly isDeleted: (document: Document) => boolean;
}

export function Rows(parts: RowsParts) {
  const { model, state, rows, chosen, setChosen } = parts;
  const all = rows.every(({ _id }) => chosen.has(_id));
  return (
    <div className="scrolling" tabIndex={0} role="region" aria-label={`Documents of ${model.name}`}>
      <Table highlightOnHover verticalSpacing={6} stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={36}>
              <Checkbox
                aria-label="Choose all documents of this page"
                checked={all}
                indeterminate={!all && chosen.size > 0}
                onChange={() => setChosen(all ? new Set() : new Set(rows.map(({ _id }) => _id)))}
              />
            </Table.Th>
            <Table.Th>Document</Table.Th>
            {state.columns.map((path) => (
              <Header key={path} path={path} sort={state.sort} />
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((document) => (
            <Row key={document._id} document={document} {...parts} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Header({ path, sort }: { readonly path: string; readonly sort: string | undefined }) {
  const order = sort === path ? 'ascending' : sort === `-${path}` ? 'descending' : undefined;
  const next = order === undefined ? path : order === 'ascending' ? `-${path}` : undefined;
  return (
    <Table.Th aria-sort={order ?? 'none'}>
      <UnstyledButton fw={600} fz="sm" onClick={() => select({ sort: next })} disabled={isSecret(path)}>
        {path} {order === undefined ? '' : order === 'ascending' ? '↑' : '↓'}
      </UnstyledButton>
    </Table.Th>
  );
}

function Row({
  document,
  model,
  state,
  chosen,
  setChosen,
  changed,
  isDeleted,
}: RowsParts & { readonly document: Document }) {
  const { _id: id } = document;
  const title = titleOf(document, model);
  const shownId = shortId(String(id));
  const isChosen = chosen.has(id);
  const toggle = (): void => setChosen(new Set(isChosen ? [...chosen].filter((one) => one !== id) : [...chosen, id]));
  const marks = [isDeleted(document) ? 'deleted' : '', changed.has(id) ? 'flash' : ''].join(' ').trim();
  return (
    <Table.Tr className={marks} {...(isChosen ? { 'data-chosen': true, bg: 'var(--mantine-color-blue-light)' } : {})}>
      <Table.Td>
        <Checkbox aria-label={`Choose ${title}`} checked={isChosen} onChange={toggle} />
      </Table.Td>
      <Table.Td>
        <Anchor
          href={hrefOf(documentPath(model.name, id))}
          size="sm"
          ff="monospace"
          aria-label={`Open ${title}, ${shownId}`}
        >
          {shownId}
        </Anchor>
      </Table.Td>
      {state.columns.map((path) => (
        <Table.Td key={path} className="cell" dir="auto">
          <Cell document={document} path={path} field={model.fields[path]} />
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
