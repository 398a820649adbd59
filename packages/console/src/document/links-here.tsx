/** The documents of other models that link to one: a table for each link, with the way to a new document that links to it too. */
import { Anchor, Button, Group, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../api/client.ts';
import { columnsOf, type Document, firstColumns, type Id, titleField } from '../api/fields.ts';
import { labelOf, labelOfModel, labelOfNew } from '../api/labels.ts';
import { isReadable, type OwnModel, useModels } from '../api/models.ts';
import { Cell } from '../documents/cell.tsx';
import { linksOf } from '../documents/list-state.ts';
import { TitleLink } from '../documents/title-link.tsx';
import { countText } from '../parts/count.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { documentPath, hrefOf, newPart } from '../route.ts';

interface Linking {
  readonly model: OwnModel;
  readonly path: string;
}

/** Documents of a table; the model's own table shows all. */
const shown = 10;
const maxColumns = 4;

export function LinksHere({ model, id }: { readonly model: OwnModel; readonly id: Id }) {
  const models = [...(useModels().data?.values() ?? [])].filter(isReadable);
  const linking = models.flatMap((other) =>
    Object.entries(other.fields).flatMap(([path, { link }]) =>
      link === model.name && other.rights.fields[path]?.includes('r') ? [{ model: other, path }] : [],
    ),
  );
  if (linking.length === 0) return <Empty>No model links to {labelOfModel(model)}.</Empty>;
  return (
    <Stack gap="xl">
      {linking.map((one) => (
        <Linked key={`${one.model.name} ${one.path}`} {...one} id={id} />
      ))}
    </Stack>
  );
}

function Linked({ model, path, id }: Linking & { readonly id: Id }) {
  const models = useModels().data ?? new Map<string, OwnModel>();
  const filter = { [path]: id };
  const title = titleField(model);
  const columns = firstColumns(model)
    .filter((one) => one !== path && one !== title)
    .slice(0, maxColumns);
  const fields = ['_id', ...columnsOf(model).filter((one) => one === title), ...columns];
  const listed = useQuery({
    queryKey: ['linking', model.name, path, id],
    queryFn: ({ signal }) =>
      client.model(model.name).list({
        ...{ filter, fields, signal },
        populate: linksOf(model, models, columns),
        limit: shown,
        count: 'capped',
      }),
  });
  const name = `${labelOfModel(model)}: ${labelOf(model, path)}`;
  return (
    <div className="linked">
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5" className="anywhere">
          {name}
        </Title>
        <NewBeside {...{ model, path, id }} />
      </Group>
      <Loaded of={listed}>
        {(page) => (
          <>
            <LinkedRows {...{ model, name, columns }} rows={page.data} />
            <Anchor size="sm" href={hrefOf(['documents', model.name], { filter: JSON.stringify(filter) })}>
              {countText(page)}
            </Anchor>
          </>
        )}
      </Loaded>
    </div>
  );
}

interface RowsParts {
  readonly model: OwnModel;
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly Document[];
}

function LinkedRows({ model, name, columns, rows }: RowsParts) {
  if (rows.length === 0) return null;
  const title = titleField(model);
  return (
    <SimpleTable
      label={name}
      heads={[title === undefined ? 'Document' : labelOf(model, title), ...columns.map((path) => labelOf(model, path))]}
      rows={rows.map((document) => [
        <TitleLink
          key="title"
          {...{ document, model }}
          href={hrefOf(documentPath(model.name, document._id))}
          isOpened={false}
        />,
        ...columns.map((path) => <Cell key={path} {...{ document, path }} field={model.fields[path]} />),
      ])}
    />
  );
}

/** Leads to the form of a new document that links here; where the caller may create it with that link. */
function NewBeside({ model, path, id }: Linking & { readonly id: Id }) {
  if (model.rights.rows.c === 'none' || model.rights.fields[path]?.includes('c') !== true || path.includes('.'))
    return null;
  const values = { [path]: model.fields[path]?.array === true ? [id] : id };
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="default"
      href={hrefOf(['documents', model.name, newPart], { values: JSON.stringify(values) })}
    >
      {labelOfNew(model)}
    </Button>
  );
}
