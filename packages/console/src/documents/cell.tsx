/** A value in a table, by its type. Everything is text to React, so nothing of a document runs. */
import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Id, isId, titleOf, valueAt } from '../api/fields.ts';
import { type Field, isReadable, type OwnModel, useModel } from '../api/models.ts';
import { isOwn } from '../document/edits.ts';
import { useTitle } from '../parts/picker.tsx';
import { Dated, When } from '../parts/when.tsx';
import { documentPath, hrefOf } from '../route.ts';

interface CellParts {
  readonly document: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly field: Field | undefined;
}

/** Characters of a value in a table; the document shows all of it. */
const maxCharacters = 300;
const maxMembers = 5;

export function Cell({ document, path, field }: CellParts) {
  const value = valueAt(document, path);
  if (field?.link !== undefined)
    return <Links field={field} value={value} shown={valueAt(document, field.map_to ?? '')} />;
  if (value === undefined || value === null) return <Missing />;
  if (field?.input === 'date' && !isOwn(path) && typeof value === 'string') return <When value={value} />;
  if (!Array.isArray(value)) return <>{one(value, field)}</>;
  if (value.length === 0) return <Missing text="empty list" />;
  const isChoice = field?.enum !== undefined;
  return (
    <Group gap={4} wrap="nowrap">
      {value.slice(0, maxMembers).map((member: unknown, at) =>
        isChoice ? (
          <Choice key={at} value={member} field={field} />
        ) : (
          <Badge key={at} variant="default" tt="none" fw={400} maw={180}>
            {one(member, field)}
          </Badge>
        ),
      )}
      {value.length > maxMembers ? <Text size="xs">+{value.length - maxMembers}</Text> : null}
    </Group>
  );
}

const Missing = ({ text = 'none' }: { readonly text?: string }) => (
  <Text span c="dimmed" size="sm" aria-label={text}>
    –
  </Text>
);

/** A value, or a member of a list, as a table shows it. */
export function one(value: unknown, field: Field | undefined): ReactNode {
  const kind = field === undefined ? 'json' : field.input;
  if (typeof value === 'boolean') return <Mark color={value ? 'green' : 'dimmed'}>{value ? 'yes' : 'no'}</Mark>;
  if (field?.enum !== undefined) return <Choice value={value} field={field} />;
  if (typeof value === 'string') {
    if (kind === 'date') return <Dated value={value} />;
    return value.length > maxCharacters ? `${value.slice(0, maxCharacters)}…` : value;
  }
  if (typeof value === 'number') return String(value);
  return <code>{JSON.stringify(value).slice(0, maxCharacters)}</code>;
}

/** The colours of choices, in the order of the enum. */
const colors = ['blue', 'teal', 'orange', 'grape', 'cyan', 'red', 'lime', 'indigo', 'yellow', 'pink'] as const;

/** A value of an enum, with a colour of its own. */
function Choice({ value, field }: { readonly value: unknown; readonly field: Field }) {
  const at = field.enum?.indexOf(value as string) ?? -1;
  return <Mark color={colors[at % colors.length] ?? 'dimmed'}>{String(value)}</Mark>;
}

/** A text with a coloured dot; the text is legible without it. */
const Mark = ({ color, children }: { readonly color: string; readonly children: string }) => (
  <Badge variant="dot" color={color} tt="none" fw={400} maw={200} className="mark">
    {children}
  </Badge>
);

interface LinksParts {
  readonly field: Field;
  readonly value: unknown;
  /** The linked documents, where they are shown. */
  readonly shown: unknown;
}

function Links({ field, value, shown }: LinksParts) {
  const model = useModel(field.link ?? '');
  const ids = [value].flat().filter(isId);
  const documents = [shown].flat().filter((item) => typeof item === 'object' && item !== null);
  if (ids.length === 0) return <Missing />;
  return (
    <Group gap={6} wrap="nowrap">
      {ids.slice(0, maxMembers).map((id) => (
        <LinkTo
          key={id}
          id={id}
          model={model}
          name={field.link ?? ''}
          document={documents.find((item) => valueAt(item, '_id') === id)}
        />
      ))}
      {ids.length > maxMembers ? <Text size="xs">+{ids.length - maxMembers}</Text> : null}
    </Group>
  );
}

interface LinkParts {
  readonly id: Id;
  readonly name: string;
  readonly model: OwnModel | undefined;
  readonly document: object | undefined;
}

function LinkTo({ id, name, model, document }: LinkParts) {
  const read = useTitle(model, id, document === undefined && isReadable(model));
  const title = document === undefined ? read : titleOf(document as Readonly<Record<string, unknown>>, model);
  // a document that is deleted, missing, or of a model that the caller may not read
  if (model === undefined) return <Text size="sm">{title}</Text>;
  return (
    <Badge
      component="a"
      href={hrefOf(documentPath(name, id))}
      variant="default"
      tt="none"
      fw={400}
      maw={220}
      className="chip"
    >
      {title}
    </Badge>
  );
}
