/** The documents of a table on a narrow screen: each is a card with its title, its choices, and a few values with their names. */
import { Checkbox, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Document, titleField, titleOf, valueAt } from '../api/fields.ts';
import { labelOfModel } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { isOwn } from '../document/edits.ts';
import { change, changedHref } from '../route.ts';
import { Cell } from './cell.tsx';
import { onBox } from './choosing.ts';
import { headOf } from './list-state.ts';
import { isForRow, press } from './row-clicks.ts';
import { keyNames, onRowKey } from './row-keys.ts';
import { marksOf, type RowsParts } from './rows.tsx';
import { TitleLink } from './title-link.tsx';

/** Choices and other values of a card; the document shows all. */
const [maxBadges, maxValues] = [3, 3];

export function Cards(parts: RowsParts) {
  const { model, rows, choosing } = parts;
  const { chosen, toggleAll } = choosing;
  const all = rows.every(({ _id }) => chosen.has(_id));
  return (
    <section
      aria-label={`Documents of ${labelOfModel(model)}`}
      aria-keyshortcuts={keyNames}
      tabIndex={-1}
      data-rows
      onKeyDown={onRowKey(rows, choosing)}
    >
      <Checkbox
        label="Choose all documents of this page"
        mb="xs"
        size="sm"
        checked={all}
        indeterminate={!all && chosen.size > 0}
        onChange={toggleAll}
      />
      <ul className="cards">
        {rows.map((document) => (
          <Card key={document._id} document={document} {...parts} />
        ))}
      </ul>
    </section>
  );
}

function Card(parts: RowsParts & { readonly document: Document }) {
  const { document, model, state, choosing, opened } = parts;
  const { _id: id } = document;
  const isChosen = choosing.chosen.has(id);
  const open = { open: String(id) };
  const { badges, values } = shownOf(document, model, state.columns);
  const cell = (path: string): ReactNode => <Cell document={document} path={path} field={model.fields[path]} />;
  return (
    <li
      className={`card ${marksOf(document, parts)}`}
      data-chosen={isChosen ? true : undefined}
      onMouseDown={press}
      onClick={(event) => (isForRow(event) ? change(open) : undefined)}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <div className="choosing">
          <Checkbox
            aria-label={`Choose ${titleOf(document, model)}`}
            checked={isChosen}
            onChange={onBox(id, choosing)}
          />
        </div>
        <div className="anywhere own" dir="auto">
          <TitleLink href={changedHref(open)} isOpened={String(id) === opened} document={document} model={model} />
        </div>
      </Group>
      {badges.length === 0 ? null : (
        <Group gap={4} mt={6}>
          {badges.map((path) => (
            <div key={path} className="own" title={headOf(model, state, path)}>
              {cell(path)}
            </div>
          ))}
        </Group>
      )}
      {values.length === 0 ? null : (
        <dl className="labelled">
          {values.map((path) => (
            <div key={path}>
              <dt>{headOf(model, state, path)}</dt>
              <dd className={isOwn(path) ? 'own' : undefined} dir="auto">
                {cell(path)}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

/** What a card shows of the columns of its table: those with a value, the choices apart. */
function shownOf(document: Document, model: OwnModel, columns: readonly string[]) {
  const title = titleField(model);
  const given = columns.filter((path) => path !== title && hasValue(valueAt(document, path)));
  const isChoice = (path: string): boolean => {
    const field = model.fields[path];
    return field?.enum !== undefined && field.link === undefined;
  };
  return {
    badges: given.filter(isChoice).slice(0, maxBadges),
    values: given.filter((path) => !isChoice(path)).slice(0, maxValues),
  };
}

const hasValue = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
