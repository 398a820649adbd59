/** The first rows of a file as they would be sent, and those with faults. */
import { Text, Title } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { labelOf } from '../api/labels.ts';
import type { OwnModel } from '../api/models.ts';
import { textOfValue } from '../pages/queries/csv.ts';
import { SimpleTable } from '../parts/simple-table.tsx';
import { Dated } from '../parts/when.tsx';
import { type Plan, type Row, rowOf } from './columns.ts';
import { type Sample, sampleSize } from './sample.ts';
import { dateOf } from './values.ts';

interface PreviewParts {
  readonly model: OwnModel;
  readonly sample: Sample;
  readonly plan: Plan;
}

/** Rows without and with faults that are shown. */
const maxShown = 10;

export function Preview({ model, sample: { records }, plan: { mapping, on, hasTexts, links } }: PreviewParts) {
  const rows = useMemo(
    () => (links === undefined ? [] : records.map((record) => rowOf(record, model, { mapping, on, hasTexts, links }))),
    [records, model, mapping, on, hasTexts, links],
  );
  const faulty = rows.filter(({ faults }) => faults.length > 0);
  const shown = [...new Set([...rows.slice(0, maxShown), ...faulty.slice(0, maxShown)])];
  const all =
    rows.length === sampleSize ? `the first ${sampleSize} rows` : rows.length === 1 ? '1 row' : `${rows.length} rows`;
  return (
    <>
      <Title order={2} size="h4">
        Preview
      </Title>
      <Text role="status">
        {links === undefined
          ? 'Reading the linked documents…'
          : faulty.length === 0
            ? `No faults in ${all}. The server checks each row when it is sent.`
            : `${faulty.length} of ${all} ${faulty.length === 1 ? 'has' : 'have'} faults and will not be sent.`}
      </Text>
      <Shown {...{ model, shown, mapping }} />
    </>
  );
}

interface ShownParts {
  readonly model: OwnModel;
  readonly shown: readonly Row[];
  readonly mapping: Plan['mapping'];
}

/** A value as it is sent; a date as it will be shown, and a link as the file has it, such as the title of a document. */
function shownValue(
  { record, values }: Row,
  [column, path]: readonly [string, string],
  { fields }: OwnModel,
): ReactNode {
  const value = values.get(path);
  if (fields[path]?.link !== undefined) return textOfValue(record.values[column]).slice(0, maxText);
  if (fields[path]?.input !== 'date' || value === undefined) return textOfValue(value).slice(0, maxText);
  return [value].flat().map((one: unknown, at) => (
    <Fragment key={at}>
      {at === 0 ? '' : ', '}
      <DateOrText value={one} />
    </Fragment>
  ));
}

function DateOrText({ value }: { readonly value: unknown }) {
  const date = dateOf(value);
  return date === undefined ? textOfValue(value).slice(0, maxText) : <Dated value={date} />;
}

const Shown = ({ model, shown, mapping }: ShownParts) => (
  <SimpleTable
    label="Preview"
    heads={['Line', 'Faults', ...Object.values(mapping).map((path) => labelOf(model, path))]}
    rows={shown.map((row) => [
      row.record.line,
      row.faults.length === 0 ? (
        '–'
      ) : (
        <Text key="faults" size="sm" c="var(--mantine-color-error)" miw="16rem" className="anywhere">
          {row.faults.join('; ')}
        </Text>
      ),
      ...Object.entries(mapping).map((cell) => shownValue(row, cell, model)),
    ])}
  />
);

const maxText = 80;
