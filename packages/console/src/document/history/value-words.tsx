/** Values of a history in words: links by title, dates, choices and switches as a table shows them, texts in quotes. Hostile values are text. */
import { Anchor, Text } from '@mantine/core';
import { createContext, type ReactNode, useContext } from 'react';
import { type Id, isId, isRow } from '../../api/fields.ts';
import { shortLabel } from '../../api/labels.ts';
import { type Field, isReadable, type OwnModel, useModel } from '../../api/models.ts';
import type { Reference } from '../../api/titles.ts';
import { one as shownAsInTable } from '../../documents/cell.tsx';
import { documentPath, hrefOf } from '../../route.ts';
import { linkOf } from './entries.ts';
import { isNothing } from './steps.ts';

/** Gives the titles of linked documents and the names of users. */
export const Titles = createContext<(reference: Reference) => string | undefined>(() => undefined);

/** Characters of a value, and named values of a member. */
const [maxCharacters, maxParts] = [300, 6];

interface ValueParts {
  readonly model: OwnModel;
  readonly path: string;
  readonly field: Field | undefined;
  readonly value: unknown;
}

/** One value, or a member of a list. */
export function ValueWords({ model, path, field, value }: ValueParts): ReactNode {
  const link = linkOf(path, field);
  if (link !== undefined && isId(value)) return <LinkWords model={link} id={value} />;
  if (field?.input === 'object' && isRow(value)) return <MemberWords {...{ model, path, value }} />;
  if (typeof value !== 'string')
    return <bdi className="value">{isNothing(value) ? '–' : shownAsInTable(value, field)}</bdi>;
  const isPlain = field === undefined || field.input === 'text' || field.input === 'json';
  if (!isPlain || field?.enum !== undefined) return <bdi className="value">{shownAsInTable(value, field)}</bdi>;
  return (
    <bdi className="value" title={value.length > maxCharacters ? value : undefined}>
      “{value.length > maxCharacters ? `${value.slice(0, maxCharacters)}…` : value}”
    </bdi>
  );
}

function LinkWords({ model, id }: { readonly model: string; readonly id: Id }) {
  const title = useContext(Titles)({ model, id });
  const linked = useModel(model);
  const text = <bdi>{title ?? String(id)}</bdi>;
  if (!isReadable(linked)) return text;
  return (
    <Anchor size="sm" href={hrefOf(documentPath(model, id))}>
      {text}
    </Anchor>
  );
}

/** A member with fields of its own, by their labels. */
function MemberWords({
  model,
  path,
  value,
}: {
  readonly model: OwnModel;
  readonly path: string;
  readonly value: object;
}) {
  const known = Object.entries(value).filter(([name, inner]) => name !== '_id' && !isNothing(inner));
  if (known.length === 0) return <Text span>an empty entry</Text>;
  return (
    <>
      {known.slice(0, maxParts).map(([name, inner], at) => (
        <span key={name}>
          {at === 0 ? '' : ', '}
          {shortLabel(model, `${path}.${name}`)}{' '}
          <PartWords {...{ model, path: `${path}.${name}`, value: inner as unknown }} />
        </span>
      ))}
      {known.length > maxParts ? ', …' : null}
    </>
  );
}

function PartWords({ model, path, value }: Omit<ValueParts, 'field'>) {
  const field = model.fields[path];
  if (!Array.isArray(value)) return <ValueWords {...{ model, path, field, value }} />;
  return (
    <>
      {value.slice(0, maxParts).map((member: unknown, at) => (
        <span key={at}>
          {at === 0 ? '' : ', '}
          <ValueWords {...{ model, path, field, value: member }} />
        </span>
      ))}
      {value.length > maxParts ? ', …' : null}
    </>
  );
}
